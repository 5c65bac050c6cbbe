// ZooKeeper through its C client: each request is one step. Written for ZooKeeper 3.8.
//
// A statement is one request, much as zkCli.sh has it:
//
//   create PATH VALUE ephemeral sequential    the last two may each be left out
//   set PATH VALUE if version = N             the condition may be left out, here and of delete
//   get PATH
//   delete PATH if version = N
//   multi OPERATION; OPERATION …              a create, a set, a delete or `check PATH version = N`: all or nothing
//   lowest PATH                               the child with the lowest sequence number
//   count PATH                                how many children there are
//   expire PATH                               the session ends that owns PATH, or else PATH's lowest child
//
// Words have white space between them, or one of ; and =. A word in '…' or "…" is literal, and so is one that the
// language has itself (if, version, ephemeral, sequential). A bare word that is exactly `:name` is that parameter's
// value; nothing is an empty VALUE, and is refused as a path or a version.
//
// What a request answers, in one row unless it says otherwise:
//   create    rows 1; "czxid" and "path", with the number that a sequential node got
//   set       rows 1; "version" and "mzxid"
//   get       rows 1, or rows 0 and no row where the node is not there; "value", "version", "czxid" and "mzxid"
//   delete    rows 1, and no columns
//   multi     rows 1; the columns of its first create or set
//   lowest    rows 1, or rows 0 and no row where no child has a number; "czxid", "path" and "value"
//   count     rows 1; "count"
//   expire    rows 1, or rows 0 where nobody owns one; no columns
// What ZooKeeper refuses is an error with the C client's name for it, such as ZNODEEXISTS; of a multi it is that of the
// operation that failed. A text that is no request is the error "SYNTAX".
//
// Each worker has a session, which owns the ephemeral nodes that it creates. `expire` really closes that session at the
// server. Its worker does not know: its next statement is answered ZSESSIONEXPIRED, once, and the one after that is
// sent over a new session, as by a client that makes a new handle. Which sessions have expired unawares is part of the
// content. A statement that begins with `apart: ` is sent over another session, which owns nothing and never ends, like
// another client in the worker's process; so is whatever `outside` sends. Such a request of a worker whose session has
// expired is carried out.
//
// zxids are virtual. A real one never comes back, and is used up by failed requests and new sessions as well; what is
// shown here counts from 0, by one with each request that changes something, each `expire`, and each session with
// ephemeral nodes that is cut off. That is enough: a ZooKeeper compares versions, and no zxids. Nor does the number of
// a parent's next sequential child come back, so each content is put into a new subtree, as whose root its "/" is
// shown: nodes are created there, set as often as their versions say, and children created and deleted until the number
// is right, all in one multi for each owner of ephemeral nodes. The one before is deleted by the same request.
//
// On a server of the user's all of this is below /fencecheck, where nothing may be, and is deleted at the end.
#include <algorithm>
#include <cctype>
#include <chrono>
#include <map>
#include <memory>
#include <ranges>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/core.h>

#include <fencecheck/engines/engine.h>
#include <fencecheck/engines/plain_text.h>
#include <fencecheck/engines/zookeeper_client.h>
#include <fencecheck/engines/zookeeper_content.h>
#include <fencecheck/engines/zookeeper_request.h>
#include <fencecheck/engines/zookeeper_server.h>
#include <fencecheck/model/world.h>

namespace fencecheck::engines {
namespace {

using zookeeper::Client;
using zookeeper::Lost;
using zookeeper::lowest_of;
using zookeeper::MultiReply;
using zookeeper::Node;
using zookeeper::NodeStat;
using zookeeper::Operation;
using zookeeper::parent_of;
using zookeeper::Reply;
using zookeeper::Request;
using zookeeper::Stored;
using zookeeper::stored_of;
using Verb = zookeeper::Operation::Verb;

const std::string our_root = "/fencecheck";

/// Set by each multi: the only operation in it whose answer always tells the zxid.
const std::string marker = our_root + "/marker";

void add_parents(std::set<std::string>& paths) {
  std::set<std::string> parents;
  for (const std::string& path : paths) parents.insert(parent_of(path));
  paths.merge(parents);
}

// ---- Requests --------------------------------------------------------------------------------------------------

/// Where `path` of a design is on the server, below `base`.
std::string real_path(const std::string& base, const Operation& operation) {
  return operation.path == "/" && !operation.sequential ? base : base + operation.path;
}

std::string real_path(const std::string& base, const std::string& path) { return path == "/" ? base : base + path; }

std::string child_path(const std::string& path, const std::string& name) {
  return (path == "/" ? "" : path) + "/" + name;
}

Answer error_of(int error, const std::string& message) {
  return {.error = zookeeper::name_of(error), .message = message};
}

Answer row_of(std::vector<std::string> columns, std::vector<Cell> cells) {
  return {.rows = 1, .columns = std::move(columns), .table = {std::move(cells)}};
}

/// The host and the port of a `url`.
std::pair<std::string, int> place_of(const std::string& url) {
  const std::size_t colon = url.rfind(':');
  const std::int64_t port =
      colon == std::string::npos ? 0 : whole_number(std::string_view(url).substr(colon + 1)).value_or(0);
  const std::string host = url.substr(0, std::min(colon, url.size()));
  const bool is_place = port > 0 && port < 65536 && !host.empty() && host.find_first_of("/,@: ") == std::string::npos;
  if (is_place) return {host, static_cast<int>(port)};
  throw UsageError(fmt::format("url '{}': should be host:port of one server, such as 127.0.0.1:2181", url));
}

// ---- The engine ------------------------------------------------------------------------------------------------

class ZookeeperEngine : public Engine {
 public:
  explicit ZookeeperEngine(const EngineOptions& options)
      : url_(options.url), address_(options.url), seconds_(options.statement_seconds) {
    if (!options.settings.empty()) {
      throw UsageError(fmt::format("setting '{}': zookeeper has no settings", options.settings.begin()->first));
    }
    if (url_.empty()) {
      server_.emplace();
      version_ = server_->version();
      address_ = server_->address();
      require(ask([&] { return client(outside).change({Verb::create, our_root}); }));
      made_root_ = true;
    } else {
      join();
    }
    require(ask([&] { return client(outside).change({Verb::create, marker}); }));
    failure_ = "nothing was loaded";
    load({});
  }

  ~ZookeeperEngine() override {
    if (server_) {
      server_.reset();  // before the sessions: closing one waits for a server that does not answer
    } else {
      leave();
    }
    close_all();
  }

  std::string description() const override {
    return fmt::format("ZooKeeper {}{}", version_, server_ ? ", a private server" : " at " + url_);
  }

  void load(const Content& content) override {
    const Stored wanted = stored_of(content.image);
    if (!failure_.empty()) {
      close_all();
      stored_.nodes.clear();
      failure_.clear();
    } else if (content_of(stored_).text == content_of(wanted).text) {
      return;
    }
    write(wanted);
  }

  std::optional<Content> content() override {
    require_known();
    return content_of(stored_);
  }

  std::optional<Answer> run(int session, const Statement& statement) override {
    require_known();
    try {
      const Request request = zookeeper::request_of(statement);
      const int sender = request.apart ? outside : session;
      for (const Operation& each : request.operations) {
        if (each.ephemeral && sender == outside) {
          throw Malformed{"an ephemeral node should belong to a worker's session: this one is of no worker, or apart"};
        }
      }
      if (sender != outside && stored_.expired.erase(sender) > 0) {
        return Answer{.error = "ZSESSIONEXPIRED", .message = "the session has expired, and a new one was begun"};
      }
      return request.is_multi ? multi(sender, request.operations) : single(sender, request.operations.front());
    } catch (const Malformed& malformed) {
      return Answer{.error = "SYNTAX", .message = malformed.message};
    }
  }

  /// No request is blocked, ever.
  std::vector<std::pair<int, Answer>> unblocked() override { return {}; }
  bool is_open(int /*session*/) const override { return false; }

  void end(int session) override {
    require_known();
    stored_.expired.erase(session);
    close(session);
  }

 private:
  void join() {
    const auto [host, port] = place_of(url_);
    const auto state = zookeeper::four_letter_word(host, port, "srvr", seconds_);
    if (!state) nobody("nobody accepts a connection, or answers");
    version_ = zookeeper::version_in(*state);
    try {
      Client& client = this->client(outside);
      made_root_ = client.change({Verb::create, our_root}).error == 0;
      const Reply reply = client.children(our_root);
      if (reply.error != 0) throw UsageError(fmt::format("{} refuses: {}", url_, zookeeper::words_of(reply.error)));
      if (reply.names.empty()) return;
      throw UsageError(
          fmt::format("the ZooKeeper at {} has nodes below {} (as many as {}), and an exploration would remove them. "
                      "Delete them, or leave --engine-url out for a private server",
                      url_, our_root, reply.names.size()));
    } catch (const Lost& lost) {
      nobody(lost.reason);
    }
  }

  [[noreturn]] void nobody(const std::string& reason) const {
    throw EngineMissing(
        fmt::format("nobody answers at {}: {}. Start a ZooKeeper there, or leave --engine-url out for a private one",
                    url_, reason));
  }

  /// Removes what we made on a server of the user's.
  void leave() {
    try {
      remove_below(our_root);
      if (made_root_) client(outside).change({Verb::remove, our_root});
    } catch (const Lost&) {  // it is gone, and what is in it is out of our reach
    }
  }

  void remove_below(const std::string& path) {
    for (const std::string& name : client(outside).children(path).names) {
      const std::string child = fmt::format("{}/{}", path, name);
      remove_below(child);
      client(outside).change({Verb::remove, child});
    }
  }

  // ---- Sessions

  Client& client(int session) {
    std::unique_ptr<Client>& client = clients_[session];
    if (!client) client = std::make_unique<Client>(address_, seconds_);
    return *client;
  }

  /// A server that does not answer makes each of them wait a while: all at once.
  void close_all() {
    std::vector<std::jthread> closing;
    for (auto& [session, client] : clients_) closing.emplace_back([&client = client] { client.reset(); });
  }

  /// The session is closed at the server. Gives whether it had anything, which counts as a change.
  bool close(int session) {
    std::set<std::string> touched = nodes_of(stored_.nodes, session);
    if (session == outside || touched.empty()) return false;  // one that owns nothing is as good as a new one
    clients_[session] = nullptr;
    for (const std::string& path : touched) wait_until_gone(path);
    clients_[session] = std::make_unique<Client>(address_, seconds_);  // by the time it is needed it is connected
    add_parents(touched);
    read_again(touched);
    return true;
  }

  void wait_until_gone(const std::string& path) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds_);
    while (!zookeeper::is_no_node(get(outside, path).error)) {
      if (std::chrono::steady_clock::now() > deadline) fail({"a session was not closed in time", true});
    }
  }

  int session_of(std::int64_t owner) {
    if (owner == 0) return 0;
    for (const auto& [session, client] : clients_) {
      if (session != outside && client && client->id() == owner) return session;
    }
    somebody_else();
  }

  // ---- Failures

  /// What the store holds is not known from here on.
  [[noreturn]] void give_up(const std::string& message) {
    failure_ = message;
    throw EngineFailure(message);
  }

  [[noreturn]] void fail(const Lost& lost) {
    if (lost.late) give_up(fmt::format("ZooKeeper did not answer within {} seconds", seconds_));
    const std::string tail = server_ ? server_->log_tail() : "";
    give_up(fmt::format("the connection to ZooKeeper failed: {}.{}", lost.reason,
                        tail.empty() ? "" : " The end of the server's log:\n" + tail));
  }

  [[noreturn]] void somebody_else() {
    give_up(
        fmt::format("what is below {} in the ZooKeeper{} has changed between two requests of fencecheck's: somebody "
                    "else writes there. Name one that nobody uses, or leave --engine-url out for a private server",
                    our_root, server_ ? "" : " at " + url_));
  }

  void require_known() const {
    if (!failure_.empty()) throw EngineFailure(failure_);
  }

  /// Throws EngineFailure where there is no answer.
  template <class Action>
  auto ask(Action action) -> decltype(action()) {
    try {
      return action();
    } catch (const Lost& lost) {
      fail(lost);
    }
  }

  /// Of requests of ours: throws EngineFailure where one is refused.
  template <class AnyReply>
  AnyReply require(AnyReply reply) {
    if (reply.error == 0) return reply;
    give_up(fmt::format("ZooKeeper refuses what fencecheck needs: {}", zookeeper::words_of(reply.error)));
  }

  Reply get(int sender, const std::string& path) {
    return ask([&] { return client(sender).get(real_path(base_, path)); });
  }

  // ---- Reading

  /// Reads again what a change may have touched; nothing else can have changed.
  void read_again(const std::set<std::string>& paths) {
    ++stored_.zxid;
    std::int64_t change = 0;  // its zxid
    std::map<std::string, std::int64_t> children;
    for (const std::string& path : paths) {
      const Reply reply = get(outside, path);
      if (zookeeper::is_no_node(reply.error)) {
        stored_.nodes.erase(path);
        continue;
      }
      require(reply);
      Node& node = stored_.nodes[path];
      node.value = reply.text;
      node.version = reply.stat.version;
      node.created = reply.stat.created;
      node.session = session_of(reply.stat.owner);
      follow(reply.stat.czxid, node.real_czxid, node.czxid, change);
      follow(reply.stat.mzxid, node.real_mzxid, node.mzxid, change);
      children[path] = reply.stat.children;
    }
    for (const auto& [path, count] : children) {
      if (children_of(stored_.nodes, path) != count) somebody_else();
    }
    highest_ = std::max(highest_, change);
  }

  /// A zxid that a node did not have before is that of the last change, and is above all others.
  void follow(std::int64_t real, std::int64_t& known, std::int64_t& shown, std::int64_t& change) {
    if (real == known) return;
    if (real <= highest_ || (change != 0 && real != change)) somebody_else();
    change = known = real;
    shown = stored_.zxid;
  }

  /// The node that a request has just read.
  const Node& known(const std::string& path, const NodeStat& stat) {
    const auto found = stored_.nodes.find(path);
    const bool is_known = found != stored_.nodes.end() && found->second.real_czxid == stat.czxid &&
                          found->second.real_mzxid == stat.mzxid;
    if (!is_known) somebody_else();
    return found->second;
  }

  // ---- Requests of a design

  Answer single(int sender, const Operation& operation) {
    switch (operation.verb) {
      case Verb::get: return answer_of_get(sender, operation);
      case Verb::lowest: return lowest(sender, operation);
      case Verb::count: return count(sender, operation);
      case Verb::expire: return expire(sender, operation);
      default: return change(sender, operation);
    }
  }

  Operation real(Operation operation) const {
    operation.path = real_path(base_, operation);
    return operation;
  }

  /// As a design has it, from a path on the server.
  std::string shown_path(const std::string& path) const { return path.substr(base_.size()); }

  Answer answer_of_change(const Operation& operation, const Reply& reply) const {
    const std::string zxid = std::to_string(stored_.zxid);
    switch (operation.verb) {
      case Verb::create: return row_of({"czxid", "path"}, {zxid, shown_path(reply.text)});
      case Verb::set: return row_of({"version", "mzxid"}, {std::to_string(reply.stat.version), zxid});
      default: return {.rows = 1};
    }
  }

  Answer change(int sender, const Operation& operation) {
    const Reply reply = ask([&] { return client(sender).change(real(operation)); });
    if (reply.error != 0) return error_of(reply.error, zookeeper::words_of(reply.error));
    std::set<std::string> touched;
    touch(touched, operation, reply);
    read_again(touched);
    return answer_of_change(operation, reply);
  }

  void touch(std::set<std::string>& touched, const Operation& operation, const Reply& reply) const {
    if (operation.verb == Verb::check) return;
    const std::string path = operation.verb == Verb::create ? shown_path(reply.text) : operation.path;
    touched.insert(path);
    if (operation.verb != Verb::set) touched.insert(parent_of(path));
  }

  /// One that only checks changes nothing, and does not count.
  Answer multi(int sender, const std::vector<Operation>& operations) {
    const MultiReply reply = send(sender, operations);
    if (reply.error != 0) {
      return error_of(reply.error,
                      fmt::format("{} (operation {})", zookeeper::words_of(reply.error), reply.failed + 1));
    }
    std::set<std::string> touched;
    for (std::size_t i = 0; i < operations.size(); ++i) touch(touched, operations[i], reply.each[i]);
    if (!touched.empty()) read_again(touched);
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const Verb verb = operations[i].verb;
      if (verb == Verb::create || verb == Verb::set) return answer_of_change(operations[i], reply.each[i]);
    }
    return {.rows = 1};
  }

  MultiReply send(int sender, const std::vector<Operation>& operations) {
    std::vector<Operation> sent;
    for (const Operation& each : operations) sent.push_back(real(each));
    sent.push_back({Verb::set, marker});
    return ask([&] { return client(sender).multi(sent); });
  }

  Answer answer_of_get(int sender, const Operation& operation) {
    Answer answer{.columns = {"value", "version", "czxid", "mzxid"}};
    const Reply reply = get(sender, operation.path);
    if (zookeeper::is_no_node(reply.error)) return answer;
    if (reply.error != 0) return error_of(reply.error, zookeeper::words_of(reply.error));
    const Node& node = known(operation.path, reply.stat);
    answer.rows = 1;
    answer.table = {
        {reply.text, std::to_string(reply.stat.version), std::to_string(node.czxid), std::to_string(node.mzxid)}};
    return answer;
  }

  Reply children(int sender, const std::string& path) {
    return ask([&] { return client(sender).children(real_path(base_, path)); });
  }

  /// Two requests, of which nothing comes in between: one thread drives the engine.
  Answer lowest(int sender, const Operation& operation) {
    const Reply reply = children(sender, operation.path);
    if (reply.error != 0) return error_of(reply.error, zookeeper::words_of(reply.error));
    Answer answer{.columns = {"czxid", "path", "value"}};
    const std::string name = lowest_of(reply.names);
    if (name.empty()) return answer;
    const std::string path = child_path(operation.path, name);
    const Reply child = require(get(sender, path));
    answer.rows = 1;
    answer.table = {{std::to_string(known(path, child.stat).czxid), path, child.text}};
    return answer;
  }

  Answer count(int sender, const Operation& operation) {
    const Reply reply = get(sender, operation.path);
    if (reply.error != 0) return error_of(reply.error, zookeeper::words_of(reply.error));
    return row_of({"count"}, {std::to_string(reply.stat.children)});
  }

  /// Who owns the node, or else its lowest child, is asked of the server; nobody where it is not there.
  Answer expire(int sender, const Operation& operation) {
    std::int64_t owner = get(sender, operation.path).stat.owner;
    const std::string name = owner == 0 ? lowest_of(children(sender, operation.path).names) : "";
    if (!name.empty()) owner = get(sender, child_path(operation.path, name)).stat.owner;
    const int session = session_of(owner);
    if (!close(session)) return {.rows = 0};
    stored_.expired.insert(session);
    return {.rows = 1};
  }

  // ---- Putting back

  /// Writes a content into a subtree of its own, and deletes the one that was there.
  void write(const Stored& wanted) {
    std::vector<Operation> first;
    for (const auto& [path, node] : std::views::reverse(stored_.nodes)) {
      first.push_back({Verb::remove, real_path(base_, path)});
    }
    base_ = fmt::format("{}/{}", our_root, ++subtrees_);
    stored_ = wanted;
    std::map<int, std::vector<Operation>> by_owner;
    for (const auto& [path, node] : stored_.nodes) {
      make(node.session == 0 ? first : by_owner[node.session], real_path(base_, path), node,
           children_of(stored_.nodes, path));
    }
    if (by_owner.empty()) by_owner[outside] = {};
    std::vector<Operation>& begin = by_owner.begin()->second;  // whoever sends it: one request less
    begin.insert(begin.begin(), first.begin(), first.end());
    for (auto& [session, operations] : by_owner) {
      operations.push_back({Verb::set, marker});
      const MultiReply reply = require(ask([&] { return client(session).multi(operations); }));
      highest_ = reply.each.back().stat.mzxid;
      const bool is_first = &operations == &begin;
      for (auto& [path, node] : stored_.nodes) {
        if (node.session == session || (is_first && node.session == 0)) node.real_czxid = node.real_mzxid = highest_;
      }
    }
  }

  std::string url_;
  std::string address_;
  double seconds_;
  std::string version_;
  std::map<int, std::unique_ptr<Client>> clients_;  ///< the sessions
  std::optional<zookeeper::Server> server_;         ///< behind them: it has to go first
  bool made_root_ = false;
  std::uint64_t subtrees_ = 0;  ///< how many there have been
  std::string base_;            ///< the subtree that statements see
  Stored stored_;               ///< what is in it
  std::int64_t highest_ = 0;    ///< the real zxid of the last change
  std::string failure_;         ///< why it is not known what is stored; empty where it is
};

}  // namespace

std::unique_ptr<Engine> open_zookeeper(const EngineOptions& options) {
  return std::make_unique<ZookeeperEngine>(options);
}

}  // namespace fencecheck::engines
