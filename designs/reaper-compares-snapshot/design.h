// A queue whose lease is the job's row: a worker claims it, works, completes it, all compared with the attempt. A
// reaper selects jobs that seem stuck, and makes them available again later: if they are still what it selected.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct ReaperComparesSnapshot {
  static constexpr std::string_view name = "reaper-compares-snapshot";
  static constexpr std::string_view summary = "a reaper makes jobs available if they are still what it selected";
  static constexpr bool one_operation = true;

  enum class State : std::uint8_t { available, running, completed, last = completed };
  struct Jobs {
    static constexpr std::string_view name = "job";
    struct Row {
      static constexpr std::string_view field_names[] = {"state", "attempt", "done"};
      State state;
      Token attempt;
      Effect done;
    };
  };
  using Row = Jobs::Row;
  using Stores = stores<Jobs>;

  /// The row is the lease, and only the reaper ends one.
  struct Issuer : CountingIssuer {
    static constexpr bool may_expire(const Record&) { return false; }
  };

  struct Memory {
    static constexpr std::string_view field_names[] = {"attempt selected"};
    Token selected;
  };

  static constexpr auto claim = together(
      "claim the job",
      [](Issuer::Record& queue, Row& job, Grant& grant) {
        if (job.state != State::available) return Reply::wait;
        queue = {queue.counter.next(), grant.handle};
        grant.token = queue.counter;
        job.state = State::running;
        job.attempt = grant.token;
        return Reply::granted;
      },
      issuer, store<0>);
  static constexpr auto complete = step("do and complete the job", [](Row& job, const Request& r, Guards& check) {
    if (!check("the job is running", job.state == State::running)) return Reply::refused;
    if (!check("the attempt is the caller's", job.attempt == r.token)) return Reply::stale;
    job.state = State::completed;
    job.done.add();
    return Reply::accepted;
  });

  static constexpr auto select = step("select a running job", [](const Row& job, Memory& memory) {
    if (job.state != State::running) return Reply::wait;
    memory.selected = job.attempt;
    return Reply::next;
  });
  static constexpr auto rescue =
      step("compare and make it available", [](Row& job, const Memory& memory, Guards& check) {
        if (!check("the job is still running", job.state == State::running)) return Reply::refused;
        if (!check("the attempt is the one selected", job.attempt == memory.selected)) return Reply::refused;
        job.state = State::available;
        return Reply::next;
      });

  static constexpr auto worker = program(claim, at(store<0>, complete));
  static constexpr auto others =
      programs(named("reaper", program(as_basis(at(store<0>, select)), at(store<0>, rescue))));
};

}  // namespace fencecheck::designs
