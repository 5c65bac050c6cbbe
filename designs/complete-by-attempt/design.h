// A queue whose lease is the job's row, with a visibility timeout after which another worker may claim it. An attempt
// does its work outside, and then writes its result if the job's attempt is still its own.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct CompleteByAttempt {
  static constexpr std::string_view name = "complete-by-attempt";
  static constexpr std::string_view summary = "an attempt writes its result if the job's attempt is still its own";
  static constexpr bool one_operation = true;

  enum class State : std::uint8_t { available, running, finished, last = finished };
  struct Jobs {
    static constexpr std::string_view name = "job";
    struct Row {
      static constexpr std::string_view field_names[] = {"state", "attempt", "result"};
      State state;
      Token attempt;
      Value result;
    };
  };
  using Row = Jobs::Row;

  struct Outside {
    static constexpr std::string_view name = "outside";
    struct Row {
      static constexpr std::string_view field_names[] = {"mails"};
      Effect mails;
    };

    static constexpr auto write = step("send the mail", [](Row& row) {
      row.mails.add();
      return Reply::accepted;
    });
  };
  using Stores = stores<Jobs, Outside>;

  /// The row is the lease; the record says whether the visibility timeout is running.
  using Issuer = CountingIssuer;

  static constexpr auto claim = together(
      "claim the job",
      [](Issuer::Record& queue, Row& job, Grant& grant) {
        if (job.state == State::finished) return Reply::wait;
        const Reply reply = Issuer::acquire.action(queue, grant);
        if (reply != Reply::granted) return reply;
        job.state = State::running;
        job.attempt = grant.token;
        return reply;
      },
      issuer, store<0>);
  static constexpr auto finish = step("finish the job", [](Row& job, const Request& r, Guards& check) {
    if (!check("the attempt is the caller's", job.attempt == r.token)) return Reply::stale;
    job.state = State::finished;
    job.result = r.value;
    return Reply::accepted;
  });

  static constexpr auto worker = program(claim, write<1>, at(store<0>, finish));
};

}  // namespace fencecheck::designs
