#include <fencecheck/engines/postgresql_monitor.h>

#include <cstdlib>

#include <fmt/core.h>
#include <fmt/format.h>

#include <fencecheck/model/world.h>

namespace fencecheck::engines::postgresql {
namespace {

// Rows are read as texts, and must look the same whatever the server's settings are. Where a lock is in the way of
// reading, nobody will give it up while we wait.
constexpr const char* settings =
    "-c timezone=UTC -c datestyle=ISO -c intervalstyle=postgres -c extra_float_digits=1 -c bytea_output=hex "
    "-c standard_conforming_strings=on -c default_transaction_isolation=read\\ committed -c lock_timeout=25ms "
    "-c statement_timeout=0 -c client_min_messages=error -c jit=off -c plan_cache_mode=force_generic_plan";

// Of a backend, those of all sessions, and after how many milliseconds a wait is for good.
constexpr const char* wait_query =
    "PREPARE fencecheck_wait(int, int[], float8) AS "
    "SELECT waitstart, extract(epoch FROM clock_timestamp() - waitstart) * 1000 >= $3, pg_blocking_pids($1) && $2 "
    "FROM pg_locks WHERE NOT granted AND waitstart IS NOT NULL AND pid = $1 "
    "UNION ALL SELECT NULL, true, true WHERE pg_safe_snapshot_blocking_pids($1) <> ARRAY[]::int[]";

constexpr int oldest_version = 140000;  // the first that tells when a wait began

// Two numbers that name the lock on the schema; fencecheck's alone, one hopes.
constexpr const char* schema_lock = "1717921635, 1751347059";

Connection opened(const Place& place) {
  try {
    return Connection(place.with(fmt::format("-c search_path={} {}", place.schema, settings)));
  } catch (const ConnectionLost& lost) {
    throw place.failure(lost.what());
  }
}

}  // namespace

Monitor::Monitor(const Place& place, double seconds) : place_(place), seconds_(seconds), connection_(opened(place)) {
  if (connection_.version() < oldest_version) {
    throw UsageError(fmt::format("PostgreSQL at {} is too old: version 14 is the first that will do", place.name));
  }
  prepare();
  if (!place_.server) take_schema();
}

Monitor::~Monitor() {
  if (!has_schema_) return;
  try {
    // Nothing of the sessions is left by now; whoever else looks at our tables may finish.
    connection_.ask(fmt::format("SET lock_timeout = '2s'; DROP SCHEMA {} CASCADE", place_.schema), seconds_);
  } catch (const std::exception&) {  // the server is gone, or hangs; the next run will say that the schema is there
  }
}

void Monitor::prepare() {
  ask(wait_query);
  const Answer known =
      ask("SELECT rolsuper, (SELECT setting FROM pg_settings WHERE name = 'deadlock_timeout') "
          "FROM pg_roles WHERE rolname = current_user");
  is_superuser_ = known.table.at(0).at(0) == "t";
  if (!is_superuser_) {
    deadlock_milliseconds_ = std::atof(known.table[0].at(1)->c_str());
    return;
  }
  // Foreign keys and triggers have nothing to say to a content that is put back.
  ask("SET session_replication_role = replica; SET log_min_messages = fatal");
}

void Monitor::take_schema() {
  if (ask(fmt::format("SELECT pg_try_advisory_lock({})", schema_lock)).table.at(0).at(0) != "t") {
    throw UsageError(fmt::format("another fencecheck is at work on PostgreSQL at {}: one at a time", place_.name));
  }
  const Answer held = ask(fmt::format(
      "SELECT (SELECT count(*) FROM pg_depend d WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = n.oid) "
      "FROM pg_namespace n WHERE n.nspname = {}",
      literal(place_.schema)));
  if (held.rows > 0 && held.table[0].at(0) != "0") {
    throw UsageError(fmt::format(
        "the schema {0} of PostgreSQL at {1} is not empty; fencecheck touches nothing in it. Where it is left from a "
        "run that was cut off, remove it by DROP SCHEMA {0} CASCADE",
        place_.schema, place_.name));
  }
  if (held.rows == 0) {
    const Answer made = try_to_ask(fmt::format("CREATE SCHEMA {}", place_.schema));
    if (!made.error.empty()) {
      throw UsageError(fmt::format("cannot make the schema {} in PostgreSQL at {}: {}. Give the url of a user who may",
                                   place_.schema, place_.name, made.message));
    }
  }
  has_schema_ = true;
}

Answer Monitor::try_to_ask(const std::string& script) {
  try {
    return connection_.ask(script, seconds_);
  } catch (const ConnectionLost& lost) {
    throw place_.failure(lost.what());
  }
}

// A lock in its way belongs to none of our sessions, then: such as the server's own cleaning, which ends soon.
Answer Monitor::ask(const std::string& script) {
  Answer answer = try_to_ask(script);
  const Clock::time_point begin = Clock::now();
  while (answer.error == lock_not_available && Clock::now() - begin < std::chrono::duration<double>(seconds_)) {
    answer = try_to_ask(script);
  }
  if (!answer.error.empty()) throw place_.failure(fmt::format("{} ({})", answer.message, answer.error));
  return answer;
}

void Monitor::keep_content_query(const std::string& query) {
  try_to_ask("DEALLOCATE fencecheck_content");  // there is none the first time
  if (!query.empty()) ask("PREPARE fencecheck_content AS " + query);
}

std::string Monitor::session_settings() const {
  std::string text = "-c client_min_messages=log -c lock_timeout=0 -c statement_timeout=0";
  if (is_superuser_) {
    text += fmt::format(" -c deadlock_timeout={}ms -c log_lock_waits=on -c log_min_messages=fatal",
                        static_cast<int>(deadlock_milliseconds_));
  }
  return text;
}

// A wait of which no report comes is taken to be for good when it has lasted long enough, however slow the machine is.
std::optional<Wait> Monitor::wait_of(int pid, const std::vector<int>& ours, bool reported) {
  const double checked = deadlock_milliseconds_;
  const double surely = is_superuser_ ? 100 : 1.2 * deadlock_milliseconds_ + 50;
  const Answer answer = ask(fmt::format("EXECUTE fencecheck_wait({}, ARRAY[{}], {})", pid, fmt::join(ours, ","),
                                        reported ? checked : surely));
  if (answer.rows == 0) return std::nullopt;
  const std::vector<Cell>& row = answer.table[0];
  return Wait{row.at(0).value_or("for a snapshot"), row.at(2) == "t", row.at(1) == "t"};
}

void Monitor::cancel(const std::vector<int>& pids) {
  if (pids.empty()) return;
  ask(fmt::format("SELECT pg_cancel_backend(pid) FROM unnest(ARRAY[{}]) AS pid", fmt::join(pids, ",")));
}

void Monitor::terminate(int pid) {
  ask(fmt::format("SELECT pg_terminate_backend({}, {})", pid, static_cast<int>(seconds_ * 1000)));
}

std::set<int> Monitor::holders_of_named_locks() {
  std::set<int> pids;
  const Answer answer = ask("SELECT DISTINCT pid FROM pg_locks WHERE locktype = 'advisory' AND granted");
  for (const std::vector<Cell>& row : answer.table) pids.insert(std::atoi(row.at(0)->c_str()));
  return pids;
}

std::string Monitor::version() {
  const std::string all = *ask("SHOW server_version").table.at(0).at(0);
  return all.substr(0, all.find(' '));
}

}  // namespace fencecheck::engines::postgresql
