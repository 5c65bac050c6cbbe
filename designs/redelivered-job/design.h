// A queue's message is a lease: when it is not acknowledged in time, it is given to somebody else. The work is fenced,
// and still done twice: each attempt comes under the newest token when it comes.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct RedeliveredJob {
  static constexpr std::string_view name = "redelivered-job";
  static constexpr std::string_view summary =
      "a job is done by whoever holds the lease, and nobody remembers that it was done";

  static constexpr bool one_operation = true;  // the job is one, whoever holds the lock

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "result", "runs"};
      Token highest;
      Value result;
      Effect runs;
    };

    static constexpr auto write = step("compare and do the job", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
      row.highest = r.token;
      row.result = r.value;
      row.runs.add();
      return Reply::accepted;
    });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table>;
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
