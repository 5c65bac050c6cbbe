// etcd through its JSON gateway: each request is one step. Written for etcd 3.4.
//
// A statement is one request, much as etcdctl has it:
//
//   put KEY VALUE
//   get KEY
//   del KEY
//   txn if CONDITION and CONDITION … then OPERATION; OPERATION … else OPERATION; OPERATION …
//   advance NUMBER
//
// The last one is what an operator does after a restore: puts of a key that nobody reads, until the revision is NUMBER
// at least. An OPERATION is one of the first three; `if …` and `else …` may be left out. A CONDITION is one of
//
//   create_revision(KEY) = NUMBER    mod_revision(KEY) = NUMBER    version(KEY) = NUMBER    value(KEY) = VALUE
//
// with = != < or >. Words have white space between them, or one of ( ) ; = != < >. A word in '…' or "…" is literal, and
// so is one that the language has itself (if, then, else, and, txn). A bare word that is exactly `:name` is that
// parameter's value; nothing is the empty string, and 0 where a number is wanted. etcd itself compares: values byte by
// byte, so "10" is less than "9"; the numbers of a key that is not there are 0; its value fits no condition at all.
//
// What a request answers, always in one row unless it says otherwise:
//   put   rows 1; the column "revision"
//   get   rows 1, or rows 0 and no row where the key is not there; "value", "create_revision", "mod_revision" and
//         "version"
//   del   rows is the number of keys that were deleted (0 or 1); "deleted", the same number, and "revision"
//   txn   rows 1 where all conditions held, else 0; "revision", and the four of a get where the branch that ran has
//         one: those of its last get, all nothing where the key is not there
//   advance   rows 1; "revision"
// "revision" is the store's, after the request. A text that is none of these is the error "SYNTAX". What etcd refuses
// is the error "GRPC_" with the code's name, such as "GRPC_INVALID_ARGUMENT" where a txn puts a key twice.
//
// Revisions are virtual. An etcd's own revision never goes back, so no content could be put back; what is shown here is
// a store that begins with revision 1 and counts up by one with each request that changes something, as etcd does. Each
// revision that the real store gives is shown as a virtual one, and each one in a condition is the real one when it is
// sent. To put back a content whose revision is N, its keys are written again by as many requests as there are
// revisions from the first one that is still seen up to N, so each key gets the revisions and the version that it had;
// where it had none, a key that no statement sees is written. The same requests write several copies, each below a
// prefix of its own: the next time, one that nobody has changed yet is there at once. So the real store is further on
// than its keys are: what they had up to N is the real revision less one offset, what comes later less another one.
//
// There are no leases: time does not pass in an exploration. A key that would live as long as a lease is a plain one,
// and that the lease is over is a step of the model's, which deletes it.
//
// On a server of the user's all of this is below "fencecheck/", where nothing may be, and is deleted at the end.
#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <fencecheck/engines/engine.h>
#include <fencecheck/engines/etcd_gateway.h>
#include <fencecheck/engines/etcd_request.h>
#include <fencecheck/engines/etcd_server.h>
#include <fencecheck/engines/plain_text.h>
#include <fencecheck/model/world.h>

namespace fencecheck::engines {
namespace {

using etcd::base64;
using etcd::bytes_of;
using etcd::Condition;
using etcd::Gateway;
using etcd::Lost;
using etcd::number_in;
using etcd::Operation;
using etcd::Refused;
using etcd::Request;
using etcd::revision_in;
using Json = nlohmann::json;

const std::string our_prefix = "fencecheck/";
const std::string key_prefix = our_prefix + "key/";
const std::string filler_key = our_prefix + "filler";

/// After so many revisions the copies and what was written beside them are cleared away.
constexpr std::int64_t kept_revisions = 5000;

/// Of each content: it is put back for every step that some worker can take from there, which half of them change.
constexpr std::size_t copy_count = 6;

/// What an etcd accepts in one txn, unless it was told otherwise.
constexpr std::size_t most_operations = 128;

/// The store itself is in trouble: no answer to what was asked.
bool is_trouble(const Refused& refused) {
  return refused.code == "UNAVAILABLE" || refused.code == "DEADLINE_EXCEEDED" || refused.code == "RESOURCE_EXHAUSTED" ||
         refused.code == "DATA_LOSS" || refused.code == "INTERNAL";
}

// ---- What is stored --------------------------------------------------------------------------------------------

struct StoredKey {
  std::string key;
  std::string value;
  std::int64_t created = 0;
  std::int64_t modified = 0;
  std::int64_t version = 0;
};

/// With virtual revisions; the keys sorted.
struct Stored {
  std::int64_t revision = 1;
  std::vector<StoredKey> keys = {};
};

Content content_of(const Stored& stored) {
  Json keys = Json::array();
  std::string text = fmt::format("revision {}\n", stored.revision);
  for (const StoredKey& each : stored.keys) {
    text += fmt::format("{} {} created {}, modified {}, version {}\n", key_text(each.key), quoted(each.value),
                        each.created, each.modified, each.version);
    keys.push_back({base64(each.key), base64(each.value), each.created, each.modified, each.version});
  }
  return {.text = text, .image = Json{{"revision", stored.revision}, {"keys", keys}}.dump()};
}

/// An empty image is that of a store in which nothing ever was.
Stored stored_of(const std::string& image) {
  if (image.empty()) return {};
  const Json json = Json::parse(image);
  Stored stored{.revision = json.at("revision").get<std::int64_t>()};
  for (const Json& each : json.at("keys")) {
    stored.keys.push_back({bytes_of(each.at(0).get<std::string>()), bytes_of(each.at(1).get<std::string>()),
                           each.at(2).get<std::int64_t>(), each.at(3).get<std::int64_t>(),
                           each.at(4).get<std::int64_t>()});
  }
  return stored;
}

/// Which real revisions the virtual ones are. Virtual ones begin at 1; 0 and less says that there is none.
struct Revisions {
  std::int64_t loaded = 1;  ///< the virtual revision of the content that was put back last
  std::int64_t before = 0;  ///< from virtual ones up to that one to real ones
  std::int64_t since = 0;   ///< from later ones, and from the store's own at any time, to real ones

  std::int64_t real(std::int64_t shown) const {
    return shown <= 0 ? shown : shown + (shown <= loaded ? before : since);
  }
  std::int64_t shown(std::int64_t real) const { return real - (real - before <= loaded ? before : since); }
};

/// A place for the keys of one content, and what the server's revisions mean there.
struct Space {
  std::string prefix;
  Revisions revisions = {};
};

// ---- Requests as JSON ------------------------------------------------------------------------------------------

std::string real_key(const Space& space, const std::string& key) {
  return base64(key.empty() ? key : space.prefix + key);  // that a key may not be empty is for the server to say
}

/// The field of a request that names the last key of all that begin with `prefix`.
std::string end_of(std::string prefix) {
  ++prefix.back();
  return base64(prefix);
}

Json all_below(const std::string& prefix) { return {{"key", base64(prefix)}, {"range_end", end_of(prefix)}}; }

Json put_of(const std::string& key, const std::string& value) {
  return {{"request_put", {{"key", base64(key)}, {"value", base64(value)}}}};
}

Json body_of(const Space& space, const Operation& operation) {
  Json body{{"key", real_key(space, operation.key)}};
  if (operation.verb == Operation::Verb::put) body["value"] = base64(operation.value);
  return body;
}

Json all_of(const Space& space, const std::vector<Operation>& operations) {
  Json list = Json::array();
  for (const Operation& each : operations) {
    const char* name = each.verb == Operation::Verb::put   ? "request_put"
                       : each.verb == Operation::Verb::get ? "request_range"
                                                           : "request_delete_range";
    list.push_back({{name, body_of(space, each)}});
  }
  return list;
}

const char* path_of(const Request& request) {
  if (request.is_txn) return "kv/txn";
  switch (request.then.front().verb) {
    case Operation::Verb::put: return "kv/put";
    case Operation::Verb::get: return "kv/range";
    default: return "kv/deleterange";
  }
}

Json json_of(const Space& space, const Condition& condition) {
  using Target = Condition::Target;
  static const std::map<Condition::Relation, const char*> relations{{Condition::Relation::equal, "EQUAL"},
                                                                    {Condition::Relation::not_equal, "NOT_EQUAL"},
                                                                    {Condition::Relation::less, "LESS"},
                                                                    {Condition::Relation::greater, "GREATER"}};
  Json json{{"key", real_key(space, condition.key)}, {"result", relations.at(condition.relation)}};
  const std::int64_t revision = space.revisions.real(condition.number);
  switch (condition.target) {
    case Target::value:
      json["target"] = "VALUE";
      json["value"] = base64(condition.value);
      break;
    case Target::version:
      json["target"] = "VERSION";
      json["version"] = std::to_string(condition.number);
      break;
    case Target::create_revision:
      json["target"] = "CREATE";
      json["create_revision"] = std::to_string(revision);
      break;
    case Target::mod_revision:
      json["target"] = "MOD";
      json["mod_revision"] = std::to_string(revision);
      break;
  }
  return json;
}

Json body_of(const Space& space, const Request& request) {
  if (!request.is_txn) return body_of(space, request.then.front());
  Json conditions = Json::array();
  for (const Condition& each : request.conditions) conditions.push_back(json_of(space, each));
  return {
      {"compare", conditions}, {"success", all_of(space, request.then)}, {"failure", all_of(space, request.otherwise)}};
}

// ---- Answers ---------------------------------------------------------------------------------------------------

const std::vector<std::string> columns_of_get{"value", "create_revision", "mod_revision", "version"};

/// The keys that a range answers, as they are shown.
std::vector<StoredKey> keys_in(const Space& space, const Json& range) {
  std::vector<StoredKey> keys;
  const auto found = range.find("kvs");
  if (found == range.end()) return keys;
  for (const Json& each : *found) {
    const std::string key = bytes_of(each.value("key", ""));
    keys.push_back({key.substr(std::min(key.size(), space.prefix.size())), bytes_of(each.value("value", "")),
                    space.revisions.shown(number_in(each, "create_revision")),
                    space.revisions.shown(number_in(each, "mod_revision")), number_in(each, "version")});
  }
  return keys;
}

std::vector<Cell> cells_of(const StoredKey& key) {
  return {key.value, std::to_string(key.created), std::to_string(key.modified), std::to_string(key.version)};
}

Answer answer_of_get(const Space& space, const Json& json) {
  Answer answer{.columns = columns_of_get};
  for (const StoredKey& key : keys_in(space, json)) answer.table.push_back(cells_of(key));
  answer.rows = static_cast<std::int64_t>(answer.table.size());
  return answer;
}

std::string store_revision(const Space& space, const Json& answer) {
  return std::to_string(revision_in(answer) - space.revisions.since);
}

Answer answer_of_txn(const Space& space, const Request& request, const Json& json) {
  const bool held = json.value("succeeded", false);
  const std::vector<Operation>& ran = held ? request.then : request.otherwise;
  Answer answer{.rows = held ? 1 : 0, .columns = {"revision"}};
  answer.table.push_back({store_revision(space, json)});
  for (std::size_t i = ran.size(); i > 0; --i) {
    if (ran[i - 1].verb != Operation::Verb::get) continue;
    const Json& got = json.at("responses").at(i - 1).at("response_range");
    std::vector<Cell> cells(columns_of_get.size());
    for (const StoredKey& key : keys_in(space, got)) cells = cells_of(key);
    answer.columns.insert(answer.columns.end(), columns_of_get.begin(), columns_of_get.end());
    answer.table[0].insert(answer.table[0].end(), cells.begin(), cells.end());
    break;
  }
  return answer;
}

Answer answer_of(const Space& space, const Request& request, const Json& json) {
  if (request.is_txn) return answer_of_txn(space, request, json);
  const Operation::Verb verb = request.then.front().verb;
  if (verb == Operation::Verb::get) return answer_of_get(space, json);
  const std::string revision = store_revision(space, json);
  if (verb == Operation::Verb::put) return {.rows = 1, .columns = {"revision"}, .table = {{revision}}};
  const std::int64_t deleted = number_in(json, "deleted");
  return {.rows = deleted, .columns = {"deleted", "revision"}, .table = {{std::to_string(deleted), revision}}};
}

// ---- Putting back ----------------------------------------------------------------------------------------------

/// The keys that have to be put at each virtual revision so that all keys come to be as they are in a content.
using Puts = std::map<std::int64_t, std::vector<const StoredKey*>>;

[[noreturn]] void impossible(const StoredKey& key) {
  throw EngineFailure(fmt::format("no etcd can hold the key {} created at {}, modified at {}, with version {}",
                                  key_text(key.key), key.created, key.modified, key.version));
}

/// A key of version v was put v times: first, last, and in between at the earliest revisions that there are, beside
/// whatever other keys were put then.
Puts puts_for(const Stored& stored) {
  Puts puts;
  for (const StoredKey& each : stored.keys) {
    const std::int64_t between = each.version - 2;
    const bool once = each.version == 1 && each.created == each.modified;
    const bool fits = once || (between >= 0 && between < each.modified - each.created);
    if (!fits || each.created < 2 || each.modified > stored.revision) impossible(each);
    for (std::int64_t i = 0; i <= between; ++i) puts[each.created + i].push_back(&each);
    puts[each.modified].push_back(&each);
  }
  return puts;
}

/// Copies of one content that nobody has changed.
struct Copies {
  std::int64_t before = 0;  ///< from the revisions of their keys to real ones
  std::vector<std::string> prefixes = {};
};

// ---- The engine ------------------------------------------------------------------------------------------------

class EtcdEngine : public Engine {
 public:
  explicit EtcdEngine(const EngineOptions& options) : url_(options.url), seconds_(options.statement_seconds) {
    if (!options.settings.empty()) {
      throw UsageError(fmt::format("setting '{}': etcd has no settings", options.settings.begin()->first));
    }
    if (url_.empty()) {
      server_.emplace(seconds_);
      version_ = server_->version();
    } else {
      join();
    }
    catch_up();
    load({});
  }

  ~EtcdEngine() override {
    if (server_) return;
    try {
      ask("kv/deleterange", all_below(our_prefix));
    } catch (const std::exception&) {  // it is gone, and what was in it is out of our reach
    }
  }

  std::string description() const override {
    return fmt::format("etcd {}{}", version_, server_ ? ", a private server" : " at " + url_);
  }

  void load(const Content& content) override {
    if (current_ && current_->text == content.text) return;
    give_back();
    current_.reset();
    catch_up();
    const Stored stored = stored_of(content.image);
    const Content wanted = content_of(stored);
    Copies& copies = copies_[wanted.text];
    if (copies.prefixes.empty()) copies = write_copies(stored);
    space_ = {copies.prefixes.back(), {stored.revision, copies.before, real_ - stored.revision}};
    copies.prefixes.pop_back();
    unchanged_ = wanted.text;
    current_ = wanted;
  }

  std::optional<Content> content() override {
    if (current_) return current_;
    // What we wrote ourselves our own server has at hand; of others we ask what the whole cluster agreed on.
    Json query = all_below(space_.prefix);
    if (server_) query["serializable"] = true;
    const Json range = ask("kv/range", query);
    if (follow(range)) somebody_else();
    current_ = content_of({.revision = real_ - space_.revisions.since, .keys = keys_in(space_, range)});
    return current_;
  }

  std::optional<Answer> run(int /*session*/, const Statement& statement) override {
    try {
      const Request request = etcd::request_of(statement);
      if (request.advance_to) return advance(*request.advance_to);
      const Json answer = ask_raw(path_of(request), body_of(space_, request));
      if (follow(answer)) {
        current_.reset();
        unchanged_.clear();
      }
      return answer_of(space_, request, answer);
    } catch (const Malformed& malformed) {
      return Answer{.error = "SYNTAX", .message = malformed.message};
    } catch (const Refused& refused) {
      return Answer{.error = "GRPC_" + refused.code, .message = refused.message};
    }
  }

  /// A server of our own is really restored from a snapshot; a user's one is not ours to restore.
  std::string restore(const Content& backup) override {
    load(backup);
    if (!server_) return {};
    const std::int64_t saved = real_;
    const std::filesystem::path snapshot = server_->save_snapshot();
    put_filler();  // so that there is something which the restore takes back
    server_->restore_snapshot(snapshot);
    real_ = revision_in(ask("kv/range", {{"key", base64(filler_key)}}));
    if (real_ != saved) {
      throw EngineFailure(fmt::format("etcd was restored from a snapshot of revision {}, and is at {}", saved, real_));
    }
    current_.reset();  // to be read anew
    return fmt::format("etcdctl snapshot restore: revision {}", real_ - space_.revisions.since);
  }

  /// No request is blocked, ever.
  std::vector<std::pair<int, Answer>> unblocked() override { return {}; }
  void end(int /*session*/) override {}
  bool is_open(int /*session*/) const override { return false; }

 private:
  void put_filler() { follow(ask("kv/put", {{"key", base64(filler_key)}, {"value", ""}})); }

  Answer advance(std::int64_t revision) {
    while (real_ - space_.revisions.since < revision) {
      put_filler();
      current_.reset();
      unchanged_.clear();
    }
    return {.rows = 1, .columns = {"revision"}, .table = {{std::to_string(real_ - space_.revisions.since)}}};
  }

  void join() {
    other_.emplace(url_, seconds_);
    try {
      version_ = other_->ask("maintenance/status", Json::object()).value("version", "");
      Json query = all_below(our_prefix);
      query["count_only"] = true;
      const std::int64_t count = number_in(other_->ask("kv/range", query), "count");
      if (count == 0) return;
      throw UsageError(
          fmt::format("the etcd at {} has keys below {} (as many as {}), and an exploration would remove them. Delete "
                      "them, or leave --engine-url out for a private server",
                      url_, our_prefix, count));
    } catch (const Lost& lost) {
      throw EngineMissing(
          fmt::format("nobody answers at {}: {}. Start an etcd there, or leave --engine-url out for a private one",
                      url_, lost.reason));
    } catch (const Refused& refused) {
      throw UsageError(fmt::format("{} refuses: {}", url_, refused.message));
    }
  }

  /// Throws EngineFailure where the server is in trouble, and Refused.
  Json ask_raw(const std::string& path, const Json& body) {
    try {
      return (server_ ? server_->gateway() : *other_).ask(path, body);
    } catch (const Lost& lost) {
      in_doubt();
      if (lost.late) throw EngineFailure(fmt::format("etcd did not answer within {} seconds", seconds_));
      const std::string tail = server_ ? server_->log_tail() : "";
      throw EngineFailure(fmt::format("the connection to etcd failed: {}.{}", lost.reason,
                                      tail.empty() ? "" : " The end of the server's log:\n" + tail));
    } catch (const Refused& refused) {
      if (!is_trouble(refused)) throw;
      in_doubt();
      throw EngineFailure("etcd cannot go on: " + refused.message);
    }
  }

  /// As ask_raw, for requests of ours: throws EngineFailure where one is refused.
  Json ask(const std::string& path, const Json& body) {
    try {
      return ask_raw(path, body);
    } catch (const Refused& refused) {
      throw EngineFailure("etcd refuses what fencecheck needs: " + refused.message);
    }
  }

  /// A request may have been carried out or not.
  void in_doubt() {
    real_ = 0;
    current_.reset();
    unchanged_.clear();
    copies_.clear();
  }

  /// Counts on where the answered request has changed something, and gives whether it has. Throws EngineFailure where
  /// the revision is one that nothing of ours can have brought about.
  bool follow(const Json& answer) {
    const std::int64_t now = revision_in(answer);
    if (now == real_) return false;
    if (now != real_ + 1) somebody_else();
    ++real_;
    return true;
  }

  [[noreturn]] void somebody_else() {
    in_doubt();
    throw EngineFailure(
        fmt::format("the revision of the etcd{} has changed between two requests of fencecheck's: somebody else writes "
                    "to it. Name one that nobody uses, or leave --engine-url out for a private server",
                    server_ ? "" : " at " + url_));
  }

  /// Finds out the server's revision where it is not known, and clears away what has gathered since the last time.
  void catch_up() {
    if (real_ == 0) cleared_ = real_ = revision_in(ask("kv/range", {{"key", base64(filler_key)}}));
    if (real_ - cleared_ < kept_revisions) return;
    copies_.clear();
    follow(ask("kv/deleterange", all_below(key_prefix)));
    cleared_ = real_;
    // An etcd keeps what was deleted, which would fill a server of ours. When a user's one forgets is the user's
    // affair.
    if (server_) ask("kv/compaction", {{"revision", std::to_string(real_)}});
  }

  void give_back() {
    if (!unchanged_.empty()) copies_[unchanged_].prefixes.push_back(space_.prefix);
    unchanged_.clear();
  }

  Copies write_copies(const Stored& stored) {
    const Puts puts = puts_for(stored);
    const std::int64_t first = puts.empty() ? stored.revision + 1 : puts.begin()->first;
    Copies copies{.before = real_ + 1 - first};
    std::size_t most = 1;
    for (const auto& [revision, keys] : puts) most = std::max(most, keys.size());
    const std::size_t count = std::clamp<std::size_t>(most_operations / most, 1, copy_count);
    for (std::size_t i = 0; i < count; ++i) copies.prefixes.push_back(fmt::format("{}{}/", key_prefix, ++spaces_));
    for (std::int64_t revision = first; revision <= stored.revision; ++revision) {
      Json list = Json::array();
      const auto found = puts.find(revision);
      for (const std::string& prefix : copies.prefixes) {
        if (found == puts.end()) break;
        for (const StoredKey* key : found->second) list.push_back(put_of(prefix + key->key, key->value));
      }
      if (list.empty()) list.push_back(put_of(filler_key, ""));
      follow(ask("kv/txn", {{"success", list}}));
    }
    return copies;
  }

  std::string url_;
  double seconds_;
  std::string version_;
  std::optional<etcd::Server> server_;
  std::optional<Gateway> other_;          ///< where the server is the user's
  std::int64_t real_ = 0;                 ///< the server's own revision; 0 where it is not known
  std::int64_t cleared_ = 0;              ///< that at which all keys were deleted for good
  std::uint64_t spaces_ = 0;              ///< how many there have been
  Space space_;                           ///< where the keys are that statements see
  std::string unchanged_;                 ///< the text of the content in it, as long as it is one of the copies
  std::map<std::string, Copies> copies_;  ///< by the text of the content
  std::optional<Content> current_;        ///< what is stored, where that is known
};

}  // namespace

std::unique_ptr<Engine> open_etcd(const EngineOptions& options) { return std::make_unique<EtcdEngine>(options); }

}  // namespace fencecheck::engines
