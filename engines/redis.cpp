// Redis through hiredis: each command is one step.
//
// A statement is one command: words with white space between them; a word in '…' or "…" is literal, with spaces and
// newlines, so Lua scripts go there. A bare word that is exactly `:name` is that parameter's value, nothing is the
// empty string. What a command answers:
//   nil, also of an EXEC whose watched keys were touched   rows 0, the column "result", no row
//   a status, an integer, a string                         rows 1, one row with its text
//   an array                                               a row for each element: nil is nothing, an array is the
//                                                          texts of its elements with spaces between
//   an error                                               no rows; `error` is its first word ("WRONGTYPE")
// An error of one command in an EXEC is a row with that error's text, for Redis keeps what the others did. Sets and
// hashes come sorted, since Redis promises no order.
//
// Time does not pass: whether a key has a time to live counts, not how long. As soon as a command has left a key with
// one, it is set to `long_time`, so nothing expires by itself in the middle of an exploration. That a key expires is a
// step of the model's, which deletes it. TTL and PTTL give `long_time` for each such key, and EXPIRE's GT and LT
// compare with it.
//
// A script can be called by its hash where SCRIPT LOAD brought it. What EVAL leaves in the server's cache does not
// count: the server may forget it, and it is no part of the content.
#include <algorithm>
#include <array>
#include <cctype>
#include <csignal>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include <fencecheck/engines/engine.h>
#include <fencecheck/engines/plain_text.h>
#include <fencecheck/engines/redis_command.h>
#include <fencecheck/engines/redis_connection.h>
#include <fencecheck/engines/server.h>
#include <fencecheck/model/world.h>

namespace fencecheck::engines {
namespace {

constexpr std::string_view long_time = "1000000000";  // milliseconds: more than eleven days
constexpr std::string_view long_time_seconds = "1000000";
constexpr double start_seconds = 10;
constexpr int start_attempts = 3;

/// Times to live that are far below long_time are new: they were given by a command since we looked last. Others stay
/// as they are, or a key would be touched for sessions that watch it.
constexpr std::string_view lengthen = R"(
  local function lengthen(key)
    local left = redis.call('PTTL', key)
    if left >= 0 and left < 900000000 then redis.call('PEXPIRE', key, '1000000000') end
    return left >= 0 and 1 or 0
  end
)";

constexpr std::string_view lengthen_all = R"(
  for _, key in ipairs(redis.call('KEYS', '*')) do lengthen(key) end
)";

/// Gives for each key: the key, its type, whether it expires, its value, its dump.
constexpr std::string_view tell_all = R"(
  local reads = {
    string = {'GET'}, hash = {'HGETALL'}, list = {'LRANGE', 0, -1}, set = {'SMEMBERS'},
    zset = {'ZRANGE', 0, -1, 'WITHSCORES'}, default = {'DUMP'}
  }
  local found = {}
  for _, key in ipairs(redis.call('KEYS', '*')) do
    local expires = lengthen(key)
    local kind = redis.call('TYPE', key).ok
    local read = reads[kind] or reads.default
    local value = redis.call(read[1], key, unpack(read, 2))
    found[#found + 1] = {key, kind, expires, value, redis.call('DUMP', key)}
  end
  return found
)";

const Names unordered{"KEYS", "SMEMBERS", "SDIFF", "SINTER", "SUNION", "HKEYS", "HVALS"};

/// The store itself is in trouble: no answer to what was asked.
const Names troubles{"LOADING", "MISCONF", "OOM"};

std::string first_word(const std::string& text) { return text.substr(0, text.find(' ')); }

// ---- Replies ---------------------------------------------------------------------------------------------------

bool is_error(const redisReply& reply) { return reply.type == REDIS_REPLY_ERROR; }
bool is_array(const redisReply& reply) { return reply.type == REDIS_REPLY_ARRAY; }

std::string text_of(const redisReply& reply) {
  if (reply.type == REDIS_REPLY_NIL) return "(nil)";
  if (reply.type == REDIS_REPLY_INTEGER) return std::to_string(reply.integer);
  if (!is_array(reply)) return {reply.str, reply.len};
  std::string text;
  for (std::size_t i = 0; i < reply.elements; ++i) text += (i == 0 ? "" : " ") + text_of(*reply.element[i]);
  return text;
}

Cell cell_of(const redisReply& reply) {
  if (reply.type == REDIS_REPLY_NIL) return std::nullopt;
  return text_of(reply);
}

std::vector<std::string> texts_of(const redisReply& array) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < array.elements; ++i) texts.push_back(text_of(*array.element[i]));
  return texts;
}

Answer refused(const std::string& message) { return {.error = first_word(message), .message = message}; }

Answer answer_of(const redisReply& reply) {
  if (is_error(reply)) return refused(text_of(reply));
  Answer answer{.columns = {"result"}};
  if (is_array(reply)) {
    for (std::size_t i = 0; i < reply.elements; ++i) answer.table.push_back({cell_of(*reply.element[i])});
  } else if (reply.type != REDIS_REPLY_NIL) {
    answer.table.push_back({text_of(reply)});
  }
  answer.rows = static_cast<std::int64_t>(answer.table.size());
  return answer;
}

/// Sorts a hash by its fields: each stands before its value.
void sort_pairs(std::vector<std::vector<Cell>>& table) {
  std::vector<std::pair<Cell, Cell>> pairs;
  for (std::size_t i = 0; i + 1 < table.size(); i += 2) pairs.emplace_back(table[i][0], table[i + 1][0]);
  std::sort(pairs.begin(), pairs.end());
  table.clear();
  for (const auto& [field, value] : pairs) {
    table.push_back({field});
    table.push_back({value});
  }
}

/// What would differ from run to run is made the same: orders that Redis does not promise, times that are left.
void settle(const std::string& name, Answer& answer) {
  if (is_in(name, unordered)) std::sort(answer.table.begin(), answer.table.end());
  if (name == "HGETALL" && answer.rows % 2 == 0) sort_pairs(answer.table);
  if (!is_in(name, {"TTL", "PTTL"}) || answer.rows != 1) return;
  std::string& left = *answer.table[0][0];
  const bool is_time = !left.empty() && left.find_first_not_of("0123456789") == std::string::npos;
  if (is_time) left = name == "TTL" ? long_time_seconds : long_time;
}

// ---- What is stored, as text -----------------------------------------------------------------------------------

std::string joined(const std::vector<std::string>& items, char open, char close) {
  std::string text(1, open);
  for (std::size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "" : ", ") + items[i];
  return text + close;
}

/// `value` is what tell_all gives for a key of type `kind`.
std::string value_text(const std::string& kind, const redisReply& value) {
  if (!is_array(value)) {
    if (kind == "string") return quoted(text_of(value));
    std::string hex;
    for (const char c : text_of(value)) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return hex;
  }
  const std::vector<std::string> raw = texts_of(value);
  std::vector<std::string> items;
  if (kind == "hash" || kind == "zset") {
    for (std::size_t i = 0; i + 1 < raw.size(); i += 2) {
      items.push_back(quoted(raw[i]) + ": " + (kind == "zset" ? raw[i + 1] : quoted(raw[i + 1])));
    }
  } else {
    for (const std::string& item : raw) items.push_back(quoted(item));
  }
  if (kind == "hash" || kind == "set") std::sort(items.begin(), items.end());
  return kind == "list" ? joined(items, '[', ']') : joined(items, '{', '}');
}

// ---- The engine ------------------------------------------------------------------------------------------------

struct Session {
  std::optional<Connection> connection = {};
  bool in_transaction = false;
  bool watches = false;
  std::string id = {};    ///< by which the server knows the connection
  std::string open = {};  ///< what was sent since the session is open
};

class RedisEngine : public Engine {
 public:
  explicit RedisEngine(const EngineOptions& options) : url_(options.url), seconds_(options.statement_seconds) {
    if (!options.settings.empty()) {
      throw UsageError(fmt::format("setting '{}': redis has no settings", options.settings.begin()->first));
    }
    if (url_.empty()) {
      start_private();
    } else {
      join();
    }
    load_own_scripts();
  }

  ~RedisEngine() override {
    if (server_) {
      server_->stop(SIGKILL);  // nothing in it is to be kept, and it is slow to hear other signals
      return;
    }
    try {
      ask({"FLUSHDB"});
    } catch (const std::exception&) {  // it is gone, and what was in it is out of our reach
    }
  }

  std::string description() const override {
    return fmt::format("Redis {}{}", version_, url_.empty() ? ", a private server" : " at " + url_);
  }

  void load(const Content& content) override {
    for (Session& session : sessions_) reset(session);
    if (current_ && current_->text == content.text) return;
    current_.reset();
    Batch batch = batch_of({"FLUSHDB"});
    std::istringstream image(content.image);
    std::size_t commands = 0;
    image >> commands;
    scripts_.clear();
    std::string line;
    std::getline(image, line);
    std::istringstream hashes(line);
    for (std::string hash; hashes >> hash;) scripts_.insert(hash);
    if (commands > 0) batch.bytes.append(content.image, content.image.find('\n') + 1);
    batch.count += commands;
    exchange(own_, batch);
    current_ = content;
  }

  /// A server of our own is really started anew, with the file that SAVE wrote. What is in no such file is gone: the
  /// scripts that were loaded.
  std::string restore(const Content& backup) override {
    load(backup);
    if (!server_) return {};
    ask({"SAVE"});
    ask({"FLUSHALL"});  // so that there is something which the restore takes back
    for (Session& session : sessions_) session = {};
    server_->stop(SIGKILL);
    start_private(address_.port);
    load_own_scripts();
    scripts_.clear();
    current_.reset();
    return "started anew with the saved RDB file";
  }

  std::optional<Content> content() override {
    if (!current_) current_ = read_content();
    return current_;
  }

  std::optional<Answer> run(int session, const Statement& statement) override {
    Session& of = sessions_.at(static_cast<std::size_t>(session));
    try {
      Words words = words_of(statement);
      require_explorable(words, of.in_transaction);
      return run(of, as_sent(std::move(words)));
    } catch (const Malformed& malformed) {
      return refused(malformed.message);
    }
  }

  /// No command is blocked, ever.
  std::vector<std::pair<int, Answer>> unblocked() override { return {}; }

  void end(int session) override { reset(sessions_.at(static_cast<std::size_t>(session))); }

  /// The keys that are watched and the commands that are queued, and whether a watched key was touched.
  std::optional<std::string> open_state(int session) override {
    const Session& of = sessions_.at(static_cast<std::size_t>(session));
    const Reply client = ask({"CLIENT", "LIST", "ID", of.id});
    const std::string line = text_of(*client);
    const std::size_t flags = line.find(" flags=");
    if (of.id.empty() || flags == std::string::npos) return std::nullopt;
    const std::string_view words = std::string_view(line).substr(flags + 7);
    return of.open + (words.substr(0, words.find(' ')).find('d') == std::string_view::npos ? "" : "touched");
  }

  bool is_open(int session) const override {
    const Session& of = sessions_.at(static_cast<std::size_t>(session));
    return of.in_transaction || of.watches;
  }

 private:
  void start_private() {
    const auto program = find_program("redis-server");
    if (!program) {
      throw EngineMissing(
          "there is no redis-server in PATH: install the package redis-server, or name a server that runs with "
          "--engine-url");
    }
    program_ = program->string();
    folder_.emplace("fencecheck-redis");
    for (int attempt = 1;; ++attempt) {
      try {
        start_private(free_port());
        return;
      } catch (const EngineFailure&) {  // where it ended at once, somebody may have taken the port in between
        if (attempt == start_attempts || !server_ || server_->is_running()) throw;
      }
    }
  }

  void start_private(int port) {
    address_ = {.port = port};
    const std::string folder = folder_->path().string();
    server_.emplace(Words{program_, "--port", std::to_string(port), "--bind", "127.0.0.1", "--dir", folder, "--save",
                          "", "--appendonly", "no", "--loglevel", "warning"},
                    folder_->path() / "log");
    wait_until_ready(*server_, "redis-server", start_seconds, [this] { return is_ready(); });
  }

  /// Whether our own server answers: another one may have taken its port.
  bool is_ready() {
    try {
      own_.emplace(address_, seconds_);
      const auto replies = own_->exchange(batch_of({"INFO", "server"}));
      version_ = info(*replies[0], "redis_version");
      return info(*replies[0], "process_id") == std::to_string(server_->pid());
    } catch (const Lost&) {
      return false;
    }
  }

  void join() {
    address_ = address_of(url_);
    try {
      own_.emplace(address_, seconds_);
    } catch (const Lost& lost) {
      throw EngineMissing(
          fmt::format("nobody answers at {}: {}. Start a Redis there, or leave --engine-url out for a private one",
                      url_, lost.reason));
    }
    Batch batch = batch_of({"SELECT", std::to_string(address_.database)});
    batch.add({"DBSIZE"});
    batch.add({"INFO", "server"});
    const auto replies = exchange_raw(own_, batch);
    for (const Reply& reply : replies) {
      if (is_error(*reply)) throw UsageError(fmt::format("{} refuses: {}", url_, text_of(*reply)));
    }
    if (replies[1]->integer != 0) {
      throw UsageError(fmt::format(
          "the database at {} is not empty (keys: {}), and an exploration would remove what is in it. Name an empty "
          "one, or leave --engine-url out for a private server",
          url_, replies[1]->integer));
    }
    version_ = info(*replies[2], "redis_version");
  }

  static std::string info(const redisReply& reply, const std::string& name) {
    const std::string text = "\n" + text_of(reply);
    const std::size_t at = text.find("\n" + name + ":");
    if (at == std::string::npos) return "";
    const std::size_t begin = at + name.size() + 2;
    return text.substr(begin, text.find_first_of("\r\n", begin) - begin);
  }

  void load_own_scripts() {
    lengthen_all_ = load_script(lengthen_all);
    tell_all_ = load_script(tell_all);
  }

  std::string load_script(std::string_view body) {
    return text_of(*ask({"SCRIPT", "LOAD", std::string(lengthen) + std::string(body)}));
  }

  std::vector<Reply> exchange_raw(std::optional<Connection>& connection, const Batch& batch) {
    try {
      if (!connection) connect(connection);
      return connection->exchange(batch);
    } catch (const Lost& lost) {
      connection.reset();
      current_.reset();
      fail(lost);
    }
  }

  /// As exchange_raw, for commands of ours: throws EngineFailure where one is refused.
  std::vector<Reply> exchange(std::optional<Connection>& connection, const Batch& batch) {
    std::vector<Reply> replies = exchange_raw(connection, batch);
    for (const Reply& reply : replies) {
      if (is_error(*reply)) throw EngineFailure("Redis refuses what fencecheck needs: " + text_of(*reply));
    }
    return replies;
  }

  Reply ask(const Words& words) { return std::move(exchange(own_, batch_of(words))[0]); }

  void connect(std::optional<Connection>& connection) {
    connection.emplace(address_, seconds_);
    if (address_.database == 0) return;
    const auto replies = connection->exchange(batch_of({"SELECT", std::to_string(address_.database)}));
    if (is_error(*replies[0])) throw Lost{.reason = text_of(*replies[0])};
  }

  [[noreturn]] void fail(const Lost& lost) {
    if (lost.late) throw EngineFailure(fmt::format("Redis did not answer within {} seconds", seconds_));
    const std::string tail = server_ ? server_->log_tail() : "";
    throw EngineFailure(fmt::format("the connection to Redis broke: {}.{}", lost.reason,
                                    tail.empty() ? "" : " The end of the server's log:\n" + tail));
  }

  /// What goes to the server for `words`, which begin with a name in capitals.
  Words as_sent(Words words) const {
    // Our database is all that there is to an exploration, but not all that there is on a server of the user's.
    if (words[0] == "FLUSHALL") words[0] = "FLUSHDB";
    const bool by_hash = is_in(words[0], {"EVALSHA", "EVALSHA_RO"});
    const bool exists = words[0] == "SCRIPT" && upper(words[1]) == "EXISTS";
    const std::size_t first = exists ? 2 : 1;
    const std::size_t last = exists ? words.size() : std::min<std::size_t>(words.size(), 2);
    for (std::size_t i = first; (by_hash || exists) && i < last; ++i) {
      if (!scripts_.contains(lower(words[i]))) words[i] = std::string(40, '0');  // a hash that no server knows
    }
    return words;
  }

  Answer run(Session& session, const Words& words) {
    const std::string& name = words[0];
    if (name == "RESET" && words.size() == 1) {
      reset(session);
      return {.rows = 1, .columns = {"result"}, .table = {{"RESET"}}};
    }
    if (name == "SCRIPT" && upper(words[1]) == "FLUSH") {
      scripts_.clear();
      current_.reset();
      return {.rows = 1, .columns = {"result"}, .table = {{"OK"}}};  // the server keeps ours
    }
    const bool changes = session.in_transaction ? name == "EXEC" : !changes_nothing(name);
    Batch batch = batch_of(words);
    if (changes) {
      current_.reset();
      batch.add({"EVALSHA", lengthen_all_, "0"});
    }
    const std::vector<Reply> replies = exchange_on(session, batch);
    follow(session, name, *replies[0]);
    const bool opens = session.in_transaction || (session.watches && name == "WATCH");
    if (opens) session.open += batch_of(words).bytes;
    if (name == "SCRIPT" && upper(words[1]) == "LOAD" && !is_error(*replies[0])) scripts_.insert(text_of(*replies[0]));
    Answer answer = answer_of(*replies[0]);
    if (is_in(answer.error, troubles)) throw EngineFailure("Redis cannot go on: " + answer.message);
    settle(name, answer);
    return answer;
  }

  std::vector<Reply> exchange_on(Session& session, const Batch& batch) {
    try {
      if (!session.connection) {
        session.id = std::to_string(exchange_raw(session.connection, batch_of({"CLIENT", "ID"}))[0]->integer);
      }
      return exchange_raw(session.connection, batch);
    } catch (const EngineFailure&) {
      session = Session{};
      throw;
    }
  }

  static void follow(Session& session, const std::string& name, const redisReply& reply) {
    const bool done = !is_error(reply);
    if (name == "MULTI" && done) {
      session.in_transaction = true;
    } else if (name == "WATCH" && done) {
      session.watches = true;
    } else if ((name == "EXEC" && (done || text_of(reply).starts_with("EXECABORT"))) || (name == "DISCARD" && done)) {
      session.in_transaction = session.watches = false;
    } else if (name == "UNWATCH" && done && !session.in_transaction) {
      session.watches = false;
    }
    if (!session.in_transaction && !session.watches) session.open.clear();
  }

  void reset(Session& session) {
    if (!session.in_transaction && !session.watches) return;
    session.in_transaction = session.watches = false;
    Batch batch = batch_of({"RESET"});
    batch.add({"SELECT", std::to_string(address_.database)});  // RESET goes back to 0
    const std::vector<Reply> replies = exchange_on(session, batch);
    // Redis has RESET since 6.2. A new connection is as good.
    if (is_error(*replies[0]) || is_error(*replies[1])) session.connection.reset();
  }

  Content read_content() {
    const Reply found = ask({"EVALSHA", tell_all_, "0"});
    std::vector<std::pair<std::string, const redisReply*>> keys;
    for (std::size_t i = 0; i < found->elements; ++i) {
      const redisReply* key = found->element[i];
      keys.emplace_back(text_of(*key->element[0]), key);
    }
    std::sort(keys.begin(), keys.end());
    Batch batch;
    std::string text;
    for (const auto& [name, key] : keys) {
      const std::string kind = text_of(*key->element[1]);
      const bool expires = key->element[2]->integer != 0;
      text += fmt::format("{} {} {}{}\n", key_text(name), kind, value_text(kind, *key->element[3]),
                          expires ? ", expires" : "");
      batch.add({"RESTORE", name, expires ? std::string(long_time) : "0", text_of(*key->element[4])});
    }
    std::string head = std::to_string(batch.count);
    for (const std::string& hash : scripts_) {
      text += "script " + hash + "\n";
      head += " " + hash;
    }
    return {.text = text, .image = head + "\n" + batch.bytes};
  }

  std::string url_;
  double seconds_;
  Address address_;
  std::string version_;
  std::optional<TemporaryFolder> folder_;
  std::string program_;
  std::optional<ServerProcess> server_;
  std::optional<Connection> own_;
  std::array<Session, max_sessions> sessions_;
  std::string lengthen_all_;  ///< the hash of that script
  std::string tell_all_;
  std::set<std::string> scripts_;   ///< hashes of those that SCRIPT LOAD brought
  std::optional<Content> current_;  ///< what is stored, where that is known
};

}  // namespace

std::unique_ptr<Engine> open_redis(const EngineOptions& options) { return std::make_unique<RedisEngine>(options); }

}  // namespace fencecheck::engines
