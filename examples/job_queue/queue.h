// One row of a job queue. Workers claim the job and complete it, a reaper puts a stuck job back, and a sender delivers
// the mail that a completed job leaves in the outbox.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fc = fencecheck;

struct Queue {
  static constexpr std::string_view name = "queue";
  static constexpr std::string_view summary = "a job queue that compares the attempt, and mails under a key";

  // The job row's heartbeat column: who is at work. "lease expires" is a heartbeat that has become too old.
  struct Heartbeat {
    static constexpr std::string_view name = "heartbeat";
    struct Record {
      static constexpr std::string_view field_names[] = {"of"};
      fc::Unique of;
    };
    struct Backup {  // empty: never restored by itself
      friend constexpr bool operator==(const Backup&, const Backup&) = default;
    };
    static constexpr fc::Unique holder(const Record& heartbeat) { return heartbeat.of; }
    static constexpr void expire(Record& heartbeat) { heartbeat.of = fc::Unique{}; }
    static constexpr Backup backup(const Record&) { return {}; }
    static constexpr auto restore = fc::step("restored", [](Record&, const Backup&) { return fc::Reply::accepted; });
  };

  enum class State : std::uint8_t { waiting, running, done, last = done };

  struct Memory {
    static constexpr std::string_view field_names[] = {"attempt found"};
    fc::Token attempt;
  };

  struct Job {
    static constexpr std::string_view name = "job";
    struct Row {
      static constexpr std::string_view field_names[] = {"state", "attempt", "result"};
      State state = State::waiting;
      fc::Token attempt;
      fc::Value result;
    };
    // UPDATE jobs SET state = 'waiting' WHERE id = :id AND state = 'running' AND attempt = :attempt
    static constexpr auto put_back = fc::step("put back", [](Row& job, const Memory& memory, fc::Guards& check) {
      if (!check("still running", job.state == State::running)) return fc::Reply::refused;
      if (!check("same attempt", job.attempt == memory.attempt)) return fc::Reply::refused;
      job.state = State::waiting;
      return fc::Reply::next;
    });
  };

  struct Outbox {
    static constexpr std::string_view name = "outbox";
    struct Row {
      static constexpr std::string_view field_names[] = {"mails"};
      fc::Count<2> mails;
    };
    static constexpr auto look = fc::step("take a mail", [](const Row& outbox) {
      return outbox.mails > fc::Count<2>(0) ? fc::Reply::next : fc::Reply::wait;
    });
    static constexpr auto remove = fc::step("delete the mail", [](Row& outbox) {
      outbox.mails.subtract();
      return fc::Reply::next;
    });
  };

  struct MailServer {
    static constexpr std::string_view name = "mail server";
    struct Row {
      static constexpr std::string_view field_names[] = {"sent", "key"};
      fc::Effect sent;
      fc::RequestId key;
    };
    static constexpr auto send = fc::step("send", [](Row& server, const fc::Request& r, fc::Guards& check) {
      if (!check("new key", server.key != r.id)) return fc::Reply::accepted;
      server.sent.add();
      server.key = r.id;
      return fc::Reply::accepted;
    });
    static constexpr auto forget = fc::step("forget the key", [](Row& server) {
      if (!server.key.exists()) return fc::Reply::wait;
      server.key = fc::RequestId{};
      return fc::Reply::next;
    });
  };

  // UPDATE jobs SET state = 'running', attempt = attempt + 1, heartbeat = now() WHERE id = :id AND state = 'waiting'
  static constexpr auto claim = fc::together(
      "claim",
      [](Heartbeat::Record& heartbeat, Job::Row& job, fc::Grant& grant) {
        if (job.state != State::waiting) return fc::Reply::wait;
        job.state = State::running;
        job.attempt = job.attempt.next();
        heartbeat.of = grant.handle;
        grant.token = job.attempt;
        return fc::Reply::granted;
      },
      fc::issuer, fc::store<0>);

  // BEGIN; UPDATE jobs SET state = 'done', result = :result
  //   WHERE id = :id AND attempt = :attempt AND state = 'running';
  // where that changed a row: INSERT INTO outbox …; COMMIT
  static constexpr auto complete = fc::together(
      "complete",
      [](Job::Row& job, Outbox::Row& outbox, const fc::Request& r, fc::Guards& check) {
        if (!check("same attempt", job.attempt == r.token)) return fc::Reply::stale;
        if (!check("still running", job.state == State::running)) return fc::Reply::refused;
        job.state = State::done;
        job.result = r.value;
        outbox.mails.add();
        return fc::Reply::accepted;
      },
      fc::store<0>, fc::store<1>);

  // SELECT id, attempt FROM jobs WHERE state = 'running' AND heartbeat < now() - interval '1 minute'
  static constexpr auto find_stuck = fc::together(
      "find a stuck job",
      [](const Heartbeat::Record& heartbeat, const Job::Row& job, Memory& memory) {
        if (job.state != State::running || heartbeat.of.exists()) return fc::Reply::wait;
        memory.attempt = job.attempt;
        return fc::Reply::next;
      },
      fc::issuer, fc::store<0>);

  // The job is done exactly when its mail has been sent, and nothing is left in the outbox.
  static constexpr bool settled(const Job::Row& job, const Outbox::Row& outbox, const MailServer::Row& server) {
    return outbox.mails == fc::Count<2>(0) && (job.state == State::done) == (server.sent != fc::Effect{});
  }

  static constexpr fc::Bounds bounds{
      .workers = 2, .leases = 3, .crashes = 1, .lost_replies = 1, .late_requests = 1, .duplicates = 1};
  static constexpr auto faults = fc::declared(fc::cleanup(fc::at(fc::store<2>, MailServer::forget)));
  using Issuer = Heartbeat;
  using Stores = fc::stores<Job, Outbox, MailServer>;
  static constexpr bool one_operation = true;  // the job is the same, whoever does it

  static constexpr auto worker = fc::program(claim, complete);
  static constexpr auto others = fc::programs(
      fc::named("reaper", fc::program(fc::as_basis(find_stuck), fc::at(fc::store<0>, Job::put_back))),
      fc::named("sender", fc::program(fc::at(fc::store<1>, Outbox::look), fc::at(fc::store<2>, MailServer::send),
                                      fc::at(fc::store<1>, Outbox::remove))));
};
