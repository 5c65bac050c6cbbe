// A job's result is written with the token compared. When that is turned away, the worker writes the failure to the
// same row, and there nobody compares.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct OneUncheckedPath {
  static constexpr std::string_view name = "one-unchecked-path";
  static constexpr std::string_view summary = "one of two ways to write a row does not compare the token";

  struct Memory {
    static constexpr std::string_view field_names[] = {"turned away"};
    Flag turned_away;
  };

  struct Jobs {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "result", "failure"};
      Token highest;
      Value result;
      Value failure;
    };

    static constexpr auto finish =
        step("compare, and store the result", [](Row& row, const Request& r, Memory& memory, Guards& check) {
          if (!check("the token is not older than the highest seen", r.token >= row.highest)) {
            memory.turned_away = true;
            return Reply::stale;
          }
          row.highest = r.token;
          row.result = r.value;
          return Reply::accepted;
        });
    static constexpr auto note_failure =
        step("note the failure, if there was one", [](Row& row, const Request& r, const Memory& memory) {
          if (!memory.turned_away) return Reply::next;
          row.failure = r.value;
          return Reply::accepted;
        });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Jobs>;
  static constexpr auto worker =
      program(acquire, go_on_after(at(store<0>, Jobs::finish)), at(store<0>, Jobs::note_failure), finally(release));
};

}  // namespace fencecheck::designs
