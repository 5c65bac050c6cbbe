// The C client's calls that wait would wait as long as the session may last, which is an hour. So each request is sent
// by one that does not, and the wait is ours. Whatever it may still write to then belongs to both sides.
#include <fencecheck/engines/zookeeper_client.h>

#include <pthread.h>
#include <zookeeper/zookeeper.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <utility>

#include <fmt/core.h>

namespace fencecheck::engines::zookeeper {

/// A request that was sent.
struct Pending {
  std::mutex mutex;
  std::condition_variable answered;
  bool is_answered = false;
  Reply reply;
  // Of a multi, which the client reads from and writes to until it is answered:
  std::vector<Operation> operations;
  std::vector<zoo_op_t> sent;
  std::vector<zoo_op_result_t> results;
  std::vector<std::string> paths;  ///< of what was created
  std::vector<Stat> stats;         ///< of what was set
};

namespace {

using Shared = std::shared_ptr<Pending>;

/// Far beyond an exploration: no session ends by itself.
constexpr int session_milliseconds = 3'600'000;

/// A sequential node's name gets so many digits.
constexpr std::size_t suffix_length = 10;

/// What the server makes of a request. All other errors say that there is no answer.
constexpr std::array<std::pair<int, const char*>, 9> answers{{{ZNONODE, "ZNONODE"},
                                                              {ZNOAUTH, "ZNOAUTH"},
                                                              {ZBADVERSION, "ZBADVERSION"},
                                                              {ZNOCHILDRENFOREPHEMERALS, "ZNOCHILDRENFOREPHEMERALS"},
                                                              {ZNODEEXISTS, "ZNODEEXISTS"},
                                                              {ZNOTEMPTY, "ZNOTEMPTY"},
                                                              {ZINVALIDACL, "ZINVALIDACL"},
                                                              {ZBADARGUMENTS, "ZBADARGUMENTS"},
                                                              {ZSESSIONEXPIRED, "ZSESSIONEXPIRED"}}};

bool is_answer(int error) {
  const auto is_it = [&](const auto& answer) { return answer.first == error; };
  return error == ZOK || (error != ZSESSIONEXPIRED && std::any_of(answers.begin(), answers.end(), is_it));
}

/// The threads that the client starts leave signals to ours.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~NoSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  sigset_t before_{};
};

NodeStat stat_of(const Stat& stat) {
  // A server shows twice the number of children ever created, less those that are there.
  const std::int64_t created = (std::int64_t{stat.cversion} + stat.numChildren) / 2;
  return {stat.czxid, stat.mzxid, stat.ephemeralOwner, created, stat.numChildren, stat.version};
}

// ---- Completions: called by a thread of the client's, exactly once for each request that was sent -----------------

template <class Fill>
void finish(const void* ticket, int error, Fill fill) {
  const std::unique_ptr<const Shared> shared(static_cast<const Shared*>(ticket));
  Pending& pending = **shared;
  const std::lock_guard lock(pending.mutex);
  pending.reply.error = error;
  if (error == ZOK) fill(pending.reply);
  pending.is_answered = true;
  pending.answered.notify_one();
}

void done(int error, const void* ticket) {
  finish(ticket, error, [](Reply&) {});
}

void got(int error, const char* value, int length, const Stat* stat, const void* ticket) {
  finish(ticket, error, [&](Reply& reply) {
    reply.stat = stat_of(*stat);
    if (length > 0) reply.text.assign(value, static_cast<std::size_t>(length));
  });
}

void got_names(int error, const String_vector* names, const void* ticket) {
  finish(ticket, error, [&](Reply& reply) { reply.names.assign(names->data, names->data + names->count); });
}

void created(int error, const char* path, const Stat* stat, const void* ticket) {
  finish(ticket, error, [&](Reply& reply) {
    reply.stat = stat_of(*stat);
    reply.text = path;
  });
}

void was_set(int error, const Stat* stat, const void* ticket) {
  finish(ticket, error, [&](Reply& reply) { reply.stat = stat_of(*stat); });
}

// ---- A multi --------------------------------------------------------------------------------------------------

int size_of(const std::string& value) { return static_cast<int>(value.size()); }

int mode_of(const Operation& operation) {
  return (operation.ephemeral ? ZOO_EPHEMERAL : 0) | (operation.sequential ? ZOO_SEQUENCE : 0);
}

Shared pending_multi(const std::vector<Operation>& operations) {
  auto pending = std::make_shared<Pending>();
  pending->operations = operations;
  pending->sent.resize(operations.size());
  pending->results.resize(operations.size());
  pending->paths.resize(operations.size());
  pending->stats.resize(operations.size());
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation& each = pending->operations[i];
    zoo_op_t* op = &pending->sent[i];
    std::string& path = pending->paths[i];
    switch (each.verb) {
      case Operation::Verb::create:
        path.resize(each.path.size() + suffix_length + 1);
        zoo_create_op_init(op, each.path.c_str(), each.value.data(), size_of(each.value), &ZOO_OPEN_ACL_UNSAFE,
                           mode_of(each), path.data(), size_of(path));
        break;
      case Operation::Verb::set:
        zoo_set_op_init(op, each.path.c_str(), each.value.data(), size_of(each.value), each.version,
                        &pending->stats[i]);
        break;
      case Operation::Verb::remove: zoo_delete_op_init(op, each.path.c_str(), each.version); break;
      default: zoo_check_op_init(op, each.path.c_str(), each.version); break;
    }
  }
  return pending;
}

/// The first operation that failed by itself: the others say only that something else did.
std::size_t failed_in(const std::vector<zoo_op_result_t>& results) {
  const auto is_to_blame = [](const zoo_op_result_t& r) { return r.err != ZOK && r.err != ZRUNTIMEINCONSISTENCY; };
  const auto found = std::find_if(results.begin(), results.end(), is_to_blame);
  return static_cast<std::size_t>(found - results.begin()) % results.size();
}

}  // namespace

const char* name_of(int error) {
  const auto found =
      std::find_if(answers.begin(), answers.end(), [&](const auto& each) { return each.first == error; });
  return found == answers.end() ? "" : found->second;
}

const char* words_of(int error) { return zerror(error); }

bool is_no_node(int error) { return error == ZNONODE; }

Client::Client(const std::string& address, double seconds) : seconds_(seconds) {
  zoo_set_debug_level(static_cast<ZooLogLevel>(0));  // it would write to our standard error
  const NoSignals held_back;
  handle_ = zookeeper_init(address.c_str(), nullptr, session_milliseconds, nullptr, nullptr, ZOO_NO_LOG_CLIENTENV);
  if (handle_ == nullptr) throw Lost{fmt::format("'{}' cannot be connected to", address)};
}

Client::~Client() { zookeeper_close(handle_); }

std::int64_t Client::id() const { return zoo_client_id(handle_)->client_id; }

template <class Send>
Reply Client::ask(const Shared& pending, Send send) {
  auto ticket = std::make_unique<Shared>(pending);
  if (const int refused = send(ticket.get()); refused != ZOK) throw Lost{words_of(refused)};
  // The completion deletes it: it comes in any case, at the latest when the handle is closed.
  static_cast<void>(ticket.release());
  std::unique_lock lock(pending->mutex);
  const bool in_time =
      pending->answered.wait_for(lock, std::chrono::duration<double>(seconds_), [&] { return pending->is_answered; });
  if (!in_time) throw Lost{"no answer came in time", true};
  if (!is_answer(pending->reply.error)) throw Lost{words_of(pending->reply.error)};
  return std::move(pending->reply);
}

Reply Client::get(const std::string& path) {
  return ask(std::make_shared<Pending>(),
             [&](const void* ticket) { return zoo_aget(handle_, path.c_str(), 0, got, ticket); });
}

Reply Client::children(const std::string& path) {
  return ask(std::make_shared<Pending>(),
             [&](const void* ticket) { return zoo_aget_children(handle_, path.c_str(), 0, got_names, ticket); });
}

Reply Client::change(const Operation& operation) {
  const char* path = operation.path.c_str();
  const char* value = operation.value.data();
  const int size = size_of(operation.value);
  return ask(std::make_shared<Pending>(), [&](const void* ticket) {
    switch (operation.verb) {
      case Operation::Verb::create:
        return zoo_acreate2(handle_, path, value, size, &ZOO_OPEN_ACL_UNSAFE, mode_of(operation), created, ticket);
      case Operation::Verb::set: return zoo_aset(handle_, path, value, size, operation.version, was_set, ticket);
      default: return zoo_adelete(handle_, path, operation.version, done, ticket);
    }
  });
}

MultiReply Client::multi(const std::vector<Operation>& operations) {
  const Shared pending = pending_multi(operations);
  const int count = static_cast<int>(operations.size());
  const Reply reply = ask(pending, [&](const void* ticket) {
    return zoo_amulti(handle_, count, pending->sent.data(), pending->results.data(), done, ticket);
  });
  MultiReply multi{.error = reply.error};
  if (multi.error != ZOK) {
    multi.failed = failed_in(pending->results);
    return multi;
  }
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const std::string& path = pending->paths[i];  // with room for a number, whether it got one or not
    multi.each.push_back({.stat = stat_of(pending->stats[i]), .text = path.substr(0, path.find('\0'))});
  }
  return multi;
}

}  // namespace fencecheck::engines::zookeeper
