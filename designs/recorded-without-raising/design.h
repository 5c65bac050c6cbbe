// The job is done once: a newer owner is told that it is done. But the store forgets that a newer owner was there.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct RecordedWithoutRaising {
  static constexpr std::string_view name = "recorded-without-raising";
  static constexpr std::string_view summary =
      "a recorded result is given to a newer owner, and the highest token stays";

  static constexpr bool one_operation = true;  // the job is one, whoever holds the lock

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "result", "runs", "done", "comment"};
      Token highest;
      Value result;
      Effect runs;
      RequestId done;
      Value comment;
    };

    static constexpr auto write =
        step("compare, look up, do the job and record it", [](Row& row, const Request& r, Guards& check) {
          if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
          if (!check("the job is not done", row.done != r.id)) return Reply::accepted;
          row.highest = r.token;
          row.result = r.value;
          row.runs.add();
          row.done = r.id;
          return Reply::accepted;
        });
    static constexpr auto comment = step("compare and comment", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
      row.highest = r.token;
      row.comment = r.value;
      return Reply::accepted;
    });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table>;
  using OwnProperties = properties<NewerRequestFencesOlder, HonestAnswers>;
  static constexpr auto worker =
      program(acquire, retry(write<0>), request<2>(at(store<0>, Table::comment)), finally(release));
};

}  // namespace fencecheck::designs
