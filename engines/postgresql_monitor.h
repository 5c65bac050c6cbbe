// A connection of our own that sees what the sessions do: who waits for whom, and what is committed.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fencecheck/engines/postgresql_connection.h>
#include <fencecheck/engines/postgresql_server.h>

namespace fencecheck::engines::postgresql {

/// The error where a lock is in the way of the monitor.
constexpr const char* lock_not_available = "55P03";

/// A statement that waits, as the server sees it.
struct Wait {
  std::string began;  ///< tells it from every other wait of the session
  bool is_by_us = false;
  /// Whether its search for a deadlock is over: it will be woken by somebody else, or never.
  bool is_for_good = false;
};

class Monitor {
 public:
  /// Makes the schema where the server is not private, and removes it with the object. Throws UsageError where there
  /// is one already that holds anything, and EngineFailure where the server does not answer within `seconds`.
  Monitor(const Place& place, double seconds);
  ~Monitor();
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  /// Throws EngineFailure where it does not succeed. The script may run several times, until locks of others are gone.
  Answer ask(const std::string& script);
  /// The same, with an error in the answer. Throws EngineFailure where the connection is lost.
  Answer try_to_ask(const std::string& script);

  /// Keeps a query, which is then planned once; an empty one is none.
  void keep_content_query(const std::string& query);
  /// The answer to the query that was kept, with an error in it.
  Answer content() { return try_to_ask("EXECUTE fencecheck_content"); }

  /// The settings that a session needs for `wait_of` to work.
  std::string session_settings() const;
  /// What the backend `pid` waits for, where it waits. `ours`: the backends of all sessions. `reported`: whether the
  /// session was told that a lock was waited for.
  std::optional<Wait> wait_of(int pid, const std::vector<int>& ours, bool reported);

  /// Cancels what the backends do.
  void cancel(const std::vector<int>& pids);
  /// Ends a backend, and returns when it has gone.
  void terminate(int pid);
  /// The backends that hold advisory locks.
  std::set<int> holders_of_named_locks();

  /// "15.4"
  std::string version();

 private:
  void prepare();
  void take_schema();

  const Place& place_;
  double seconds_;
  Connection connection_;
  bool is_superuser_ = false;
  bool has_schema_ = false;
  double deadlock_milliseconds_ = 1;  ///< after which a waiting session looks for a deadlock
};

}  // namespace fencecheck::engines::postgresql
