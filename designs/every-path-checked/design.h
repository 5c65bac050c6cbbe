// A job's result is written with the token compared, and so is its failure.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct EveryPathChecked {
  static constexpr std::string_view name = "every-path-checked";
  static constexpr std::string_view summary = "both ways to write a row compare the token";

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
        step("compare, and note the failure, if there was one",
             [](Row& row, const Request& r, const Memory& memory, Guards& check) {
               if (!memory.turned_away) return Reply::next;
               if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
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
