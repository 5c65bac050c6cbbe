#include <fencecheck/engines/design_file.h>

#include <fmt/core.h>
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <fencecheck/engines/plain_text.h>
#include <fencecheck/engines/statement_text.h>
#include <fencecheck/model/world.h>
#include <fencecheck/report/names.h>
#include <fencecheck/report/story.h>

namespace fencecheck::engines {
namespace {

/// What an outcome's word means to the program.
const std::map<std::string, Reply>& outcome_words() {
  static const std::map<std::string, Reply> words{{"next", Reply::next},          {"accepted", Reply::accepted},
                                                  {"duplicate", Reply::accepted}, {"stale", Reply::stale},
                                                  {"refused", Reply::refused},    {"conflict", Reply::refused},
                                                  {"unknown", Reply::unknown},    {"again", Reply::again},
                                                  {"wait", Reply::wait},          {"granted", Reply::granted}};
  return words;
}

/// What stands at the top of a file, above its first [table].
const std::vector<std::string>& keys_of_the_file() {
  static const std::vector<std::string> keys{"name",
                                             "summary",
                                             "engine",
                                             "setup",
                                             "bounds",
                                             "store",
                                             "reader",
                                             "issuer",
                                             "release",
                                             "write",
                                             "expect",
                                             "properties",
                                             "sqlite",
                                             "postgresql",
                                             "redis",
                                             "etcd",
                                             "statement_seconds",
                                             "zookeeper"};
  return keys;
}

class Reader {
 public:
  Reader(const std::string& text, std::string path) : path_(std::move(path)) {
    try {
      root_ = toml::parse(text, path_);
    } catch (const toml::parse_error& error) {
      std::string what(error.description());
      if (what.find("could not determine value type") != std::string::npos) what += "; a text stands in quotes";
      complain(error.source().begin, what);
    }
  }

  DesignFile read() {
    DesignFile file;
    file.path = path_;
    for (const auto& [key, node] : root_) {
      const toml::table* table = node.as_table();
      const toml::node* engine = table == nullptr || key == "issuer" ? nullptr : table->get("engine");
      if (engine != nullptr && !root_.contains("engine")) {
        complain(begin(*engine), fmt::format("'engine' is in [{}]{}", key.str(), hint("engine")));
      }
    }
    file.engine.kind = need_kind(root_, "engine", "the kind of store: sqlite, postgresql, redis, etcd or zookeeper");
    allow(root_, keys_of_the_file());
    file.name = text_or(root_, "name", std::filesystem::path(path_).stem().string());
    file.summary = text_or(root_, "summary", "a store as " + path_ + " describes it");
    file.setup = texts(root_, "setup");
    file.engine.statement_seconds = number_or(root_, "statement_seconds", file.engine.statement_seconds);
    read_settings(file.engine, file);
    read_bounds(file.bounds);
    for (const toml::table* table : tables(root_, "store")) file.stores.push_back(read_store(*table));
    if (file.stores.empty()) complain(begin(root_), "there is no [[store]]: say at least how a reader reads one");
    if (file.stores.size() > max_stores) complain(begin(root_), "there may be at most three [[store]]s");
    if (const toml::table* table = optional_table(root_, "reader")) {
      allow(*table, {"read"});
      file.reader = need_text(*table, "read", "the query of a reader");
      require_known(*table, "read", file.reader, {});
    }
    std::set<std::string> known(standard_parameters().begin(), standard_parameters().end());
    if (const toml::table* table = optional_table(root_, "issuer")) file.issuer = read_issuer(*table, file, known);
    file.writes = read_steps(root_, "write", file, known, false);
    if (file.writes.empty())
      complain(begin(root_), "there is no [[write]]: say which statements a worker's write sends");
    if (file.issuer) {
      const toml::table& issuer = *root_["issuer"].as_table();
      file.issuer->release = read_steps(issuer, "release", file, known, false);
    }
    file.releases = flag_or(root_, "release", true);
    file.properties = texts(root_, "properties");
    if (const toml::node* node = root_.get("properties")) file.properties_line = static_cast<int>(begin(*node).line);
    read_expected(file.expected);
    return file;
  }

 private:
  static constexpr std::size_t max_stores = 3;

  [[noreturn]] void complain(const toml::source_position& at, const std::string& what) const {
    throw UsageError(fmt::format("{}:{}:{}: {}", path_, at.line, at.column, what));
  }
  static toml::source_position begin(const toml::node& node) { return node.source().begin; }

  // --- values --------------------------------------------------------------------------------------------------------

  void allow(const toml::table& table, const std::vector<std::string>& names) const {
    for (const auto& [key, value] : table) {
      if (std::find(names.begin(), names.end(), std::string(key.str())) != names.end()) continue;
      complain(key.source().begin, fmt::format("'{}' is not known here; there are {}{}", key.str(),
                                               fmt::join(names, ", "), hint(key.str())));
    }
  }

  /// What stands behind a [table] belongs to it, which is easily overlooked.
  static std::string hint(std::string_view key) {
    const std::vector<std::string>& keys = keys_of_the_file();
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) return {};
    return fmt::format(". '{}' is a key of the file itself: put it above the first [table]", key);
  }

  std::string need_text(const toml::table& table, std::string_view key, const std::string& what) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) complain(begin(table), fmt::format("'{}' is missing: {}", key, what));
    return text_of(*node, key);
  }
  std::string need_kind(const toml::table& table, std::string_view key, const std::string& what) const {
    static const std::vector<std::string> kinds{"sqlite", "postgresql", "redis", "etcd", "zookeeper"};
    std::string kind = need_text(table, key, what);
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) return kind;
    complain(begin(*table.get(key)), unknown_name("engine", kind, kinds));
  }
  std::string text_of(const toml::node& node, std::string_view key) const {
    const auto text = node.value_exact<std::string>();
    if (!text) complain(begin(node), fmt::format("'{}' must be a text in quotes", key));
    if (text->empty()) complain(begin(node), fmt::format("'{}' is empty", key));
    return *text;
  }
  std::string text_or(const toml::table& table, std::string_view key, std::string otherwise) const {
    const toml::node* node = table.get(key);
    return node == nullptr ? std::move(otherwise) : text_of(*node, key);
  }
  bool flag_or(const toml::table& table, std::string_view key, bool otherwise) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return otherwise;
    const auto flag = node->value_exact<bool>();
    if (!flag) complain(begin(*node), fmt::format("'{}' must be true or false", key));
    return *flag;
  }
  double number_or(const toml::table& table, std::string_view key, double otherwise) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return otherwise;
    const auto number = node->value<double>();
    if (!number || *number <= 0) complain(begin(*node), fmt::format("'{}' must be a number above 0", key));
    return *number;
  }
  std::optional<std::int64_t> optional_whole(const toml::table& table, std::string_view key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    const auto number = node->value_exact<std::int64_t>();
    if (!number || *number < 0) complain(begin(*node), fmt::format("'{}' must be a whole number, 0 or more", key));
    return *number;
  }

  /// A text, or a list of them.
  std::vector<std::string> texts(const toml::table& table, std::string_view key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return {};
    const toml::array* array = node->as_array();
    if (array == nullptr) return {text_of(*node, key)};
    std::vector<std::string> result;
    for (const toml::node& each : *array) result.push_back(text_of(each, key));
    return result;
  }

  const toml::table* optional_table(const toml::table& table, std::string_view key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return nullptr;
    const toml::table* found = node->as_table();
    if (found == nullptr) complain(begin(*node), fmt::format("'{0}' must be a table: [{0}]", key));
    return found;
  }

  std::vector<const toml::table*> tables(const toml::table& table, std::string_view key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return {};
    const toml::array* array = node->as_array();
    if (array == nullptr) complain(begin(*node), fmt::format("'{0}' must be a list of tables: [[{0}]]", key));
    std::vector<const toml::table*> result;
    for (const toml::node& each : *array) {
      if (each.as_table() == nullptr)
        complain(begin(each), fmt::format("'{0}' must be a list of tables: [[{0}]]", key));
      result.push_back(each.as_table());
    }
    return result;
  }

  // --- parts ---------------------------------------------------------------------------------------------------------

  void read_settings(EngineOptions& engine, DesignFile& file) const {
    const toml::table* table = optional_table(root_, engine.kind);
    if (table == nullptr) return;
    file.settings_lines[engine.kind] = static_cast<int>(begin(*table).line);
    for (const auto& [key, value] : *table) {
      if (const std::string misplaced = hint(key.str()); !misplaced.empty()) {
        complain(key.source().begin, fmt::format("'{}' is no setting of {}{}", key.str(), engine.kind, misplaced));
      }
      engine.settings[std::string(key.str())] = text_of(value, key.str());
    }
  }

  void read_bounds(Bounds& bounds) const {
    const toml::table* table = optional_table(root_, "bounds");
    if (table == nullptr) return;
    std::vector<std::string> names{"workers", "leases", "expiry"};
    for (const Fault fault : faults_of_files()) names.push_back(file_key(fencecheck::text_of(fault)));
    allow(*table, names);
    const auto set = [&](const std::string& key, int& target) {
      if (const auto number = optional_whole(*table, key))
        target = static_cast<int>(std::min<std::int64_t>(*number, 1000));
    };
    set("workers", bounds.workers);
    set("leases", bounds.leases);
    for (const FaultText& fault : faults) set(file_key(fault), bounds.*fault.budget);
    bounds.expiry = flag_or(*table, "expiry", true);
  }

  FileStore read_store(const toml::table& table) const {
    allow(table, {"name", "read", "fields"});
    FileStore store;
    store.fields = texts(table, "fields");
    store.name = need_text(table, "name", "what reports call the store");
    store.read = need_text(table, "read", "the query that gives `value`, and what else is to be shown");
    require_known(table, "read", store.read, {});
    return store;
  }

  FileIssuer read_issuer(const toml::table& table, DesignFile& file, std::set<std::string>& known) const {
    allow(table, {"name", "engine", "setup", "holder", "expire", "restored", "acquire", "release"});
    FileIssuer issuer;
    issuer.name = text_or(table, "name", "lock");
    read_engine(table, file, issuer);
    issuer.holder =
        need_text(table, "holder", "the query that gives the :handle, or the token, of the grant that holds the lock");
    require_known(table, "holder", issuer.holder, {});
    issuer.expire = texts(table, "expire");
    for (const std::string& each : issuer.expire) require_known(table, "expire", each, {});
    // What is never said is never shown: "leases may expire" is a bound of the search.
    if (issuer.expire.empty()) file.bounds.expiry = false;
    issuer.acquire = read_steps(table, "acquire", file, known, true);
    if (issuer.acquire.empty()) complain(begin(table), "there is no [[issuer.acquire]]: say how the lock is taken");
    return issuer;
  }

  void read_engine(const toml::table& table, DesignFile& file, FileIssuer& issuer) const {
    if (table.get("engine") == nullptr) {
      for (const char* key : {"setup", "restored"}) {
        if (const toml::node* node = table.get(key)) {
          complain(begin(*node), fmt::format("'{}' is for a lock in an engine of its own: give [issuer] an `engine`, "
                                             "or leave it out",
                                             key));
        }
      }
      return;
    }
    issuer.engine = EngineOptions{.kind = need_kind(table, "engine", "")};
    issuer.engine->statement_seconds = file.engine.statement_seconds;
    read_settings(*issuer.engine, file);
    issuer.setup = texts(table, "setup");
    issuer.restored = texts(table, "restored");  // what they name is known only when the stores have been read
  }

  std::vector<FileStep> read_steps(const toml::table& from, std::string_view key, const DesignFile& file,
                                   std::set<std::string>& known, bool may_grant) const {
    std::vector<FileStep> steps;
    for (const toml::table* table : tables(from, key)) {
      steps.push_back(read_step(*table, file, known, may_grant));
      if (steps.size() > 1 && steps[steps.size() - 2].store == steps.back().store &&
          table->get("new_visit") == nullptr) {
        steps.back().first_of_visit = false;
      }
    }
    return steps;
  }

  FileStep read_step(const toml::table& table, const DesignFile& file, std::set<std::string>& known,
                     bool may_grant) const {
    allow(table, {"name", "begin", "run", "keep", "on", "store", "retry", "new_id", "basis", "new_visit"});
    FileStep step;
    step.line = static_cast<int>(begin(table).line);
    step.run = need_text(table, "run", "the statement that this step sends");
    step.name = text_or(table, "name", step.run);
    step.begin = text_or(table, "begin", "");
    step.retry = flag_or(table, "retry", false);
    step.new_id = flag_or(table, "new_id", false);
    step.basis = flag_or(table, "basis", false);
    step.store = store_number(table, file);
    require_known(table, "begin", step.begin, known);
    require_known(table, "run", step.run, known);
    require_no_numbers(table, step.run, file.engine.kind);
    step.keep = texts(table, "keep");
    known.insert(step.keep.begin(), step.keep.end());
    for (const toml::table* rule : tables(table, "on")) step.rules.push_back(read_rule(*rule, known, may_grant));
    return step;
  }

  int store_number(const toml::table& table, const DesignFile& file) const {
    const toml::node* node = table.get("store");
    if (node == nullptr) return 0;
    const std::string wanted = text_of(*node, "store");
    std::vector<std::string> names;
    for (std::size_t s = 0; s < file.stores.size(); ++s) {
      if (file.stores[s].name == wanted) return static_cast<int>(s);
      names.push_back(file.stores[s].name);
    }
    complain(begin(*node), fmt::format("there is no store '{}'; there are {}", wanted, fmt::join(names, ", ")));
  }

  Rule read_rule(const toml::table& table, const std::set<std::string>& known, bool may_grant) const {
    allow(table, {"rows", "error", "when", "name", "is"});
    Rule rule;
    rule.rows = optional_whole(table, "rows");
    if (table.get("error") != nullptr) rule.error = text_of(*table.get("error"), "error");
    if (const toml::node* node = table.get("when")) rule.when = read_comparison(*node, known);
    const int conditions = int{rule.rows.has_value()} + int{rule.error.has_value()} + int{rule.when.has_value()};
    if (conditions > 1) complain(begin(table), "a rule has one condition: rows, error or when; write two rules");
    rule.name = text_or(table, "name", "");
    rule.word = need_text(table, "is", "what such an answer means");
    const auto word = outcome_words().find(rule.word);
    if (word == outcome_words().end() || (rule.word == "granted" && !may_grant)) {
      std::vector<std::string> words;
      for (const auto& [each, reply] : outcome_words()) {
        if (each != "granted" || may_grant) words.push_back(each);
      }
      complain(begin(*table.get("is")),
               fmt::format("'{}' is no outcome; there are {}", rule.word, fmt::join(words, ", ")));
    }
    rule.reply = word->second;
    return rule;
  }

  Comparison read_comparison(const toml::node& node, const std::set<std::string>& known) const {
    Comparison result;
    result.text = text_of(node, "when");
    std::istringstream words(result.text);
    std::string rest;
    words >> result.left >> result.op >> result.right >> rest;
    static const std::set<std::string> operators{"=", "!=", "<", "<=", ">", ">="};
    if (result.left.empty() || result.left[0] != ':' || !operators.contains(result.op) || result.right.empty() ||
        !rest.empty()) {
      complain(begin(node),
               fmt::format("'{}' is no comparison: write `:name OP other`, where OP is one of = != < <= > >= "
                           "and the other a :name, a number, a 'text' or null",
                           result.text));
    }
    result.left.erase(0, 1);
    require_parameter(node, result.left, known);
    if (result.right[0] == ':') require_parameter(node, result.right.substr(1), known);
    return result;
  }

  void require_known(const toml::table& table, std::string_view key, const std::string& text,
                     const std::set<std::string>& known) const {
    const toml::node* node = table.get(key);
    for (const std::string& each : known) {
      if (text.find("':" + each + "'") == std::string::npos) continue;
      complain(begin(node == nullptr ? static_cast<const toml::node&>(table) : *node),
               fmt::format("':{0}' in quotes is a text and no parameter: write :{0} without them", each));
    }
    for (const Placeholder& each : placeholders(text)) {
      require_parameter(node == nullptr ? static_cast<const toml::node&>(table) : *node, each.name, known);
    }
  }
  /// `?` and `$1` mean parameters to an SQL engine as well: there they would be nothing, or an error.
  void require_no_numbers(const toml::table& table, const std::string& text, const std::string& kind) const {
    const std::string found = kind == "sqlite" || kind == "postgresql" ? numbered_parameter(text, kind) : "";
    if (found.empty()) return;
    complain(begin(*table.get("run")),
             fmt::format("'{}': parameters have names here, such as :token and :value", found));
  }
  void require_parameter(const toml::node& node, const std::string& name, const std::set<std::string>& known) const {
    if (known.contains(name)) return;
    if (known.empty())
      complain(begin(node), fmt::format("':{}': nobody's request is at hand here, so no parameters", name));
    complain(begin(node), fmt::format("':{}' is no parameter here; there are :{}", name, fmt::join(known, ", :")));
  }

  void read_expected(std::vector<ExpectedVerdict>& expected) const {
    const toml::table* table = optional_table(root_, "expect");
    if (table == nullptr) return;
    for (const auto& [key, value] : *table) {
      ExpectedVerdict each{std::string(key.str()), "violated", {}, static_cast<int>(key.source().begin.line)};
      if (const auto steps = value.value_exact<std::int64_t>()) {
        each.steps = static_cast<int>(*steps);
      } else {
        each.verdict = text_of(value, key.str());
        if (each.verdict != "holds" && each.verdict != "violated" && each.verdict != "unknown") {
          complain(begin(value),
                   fmt::format("'{}' is no verdict; there are \"holds\", \"violated\", \"unknown\", and the "
                               "number of steps of the shortest run that breaks it",
                               each.verdict));
        }
      }
      expected.push_back(each);
    }
  }

  std::string path_;
  toml::table root_;
};

}  // namespace

bool Comparison::holds(const Cell& left_value, const Cell& right_value) const {
  if (!left_value || !right_value) {
    const bool same = !left_value && !right_value;
    return op == "=" ? same : op == "!=" && !same;
  }
  const auto a = whole_number(*left_value);
  const auto b = whole_number(*right_value);
  const int order = a && b ? (*a < *b ? -1 : *a > *b ? 1 : 0) : left_value->compare(*right_value);
  if (op == "=") return order == 0;
  if (op == "!=") return order != 0;
  if (op == "<") return order < 0;
  if (op == "<=") return order <= 0;
  if (op == ">") return order > 0;
  return order >= 0;
}

const std::vector<Fault>& faults_of_files() {
  static const std::vector<Fault> list{Fault::store_restore, Fault::crash,     Fault::lost_reply,
                                       Fault::late_request,  Fault::duplicate, Fault::issuer_restore};
  return list;
}

bool keeps_token(const DesignFile& file) {
  if (!file.issuer) return false;
  const std::vector<FileStep>& steps = file.issuer->acquire;
  return std::any_of(steps.begin(), steps.end(), [](const FileStep& step) {
    return std::find(step.keep.begin(), step.keep.end(), "token") != step.keep.end();
  });
}

const std::vector<std::string>& standard_parameters() {
  static const std::vector<std::string> names{"token", "value", "handle", "owner", "request_id", "fingerprint"};
  return names;
}

DesignFile parse_design_file(const std::string& text, const std::string& path) { return Reader(text, path).read(); }

DesignFile read_design_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw UsageError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  return parse_design_file(text.str(), path);
}

}  // namespace fencecheck::engines
