#include <fencecheck/engines/redis_command.h>

#include <algorithm>
#include <cctype>

#include <fmt/core.h>

#include <fencecheck/engines/statement_text.h>

namespace fencecheck::engines {
namespace {

const Names blocking{"BLPOP",    "BRPOP",    "BRPOPLPUSH", "BLMOVE", "BLMPOP",
                     "BZPOPMIN", "BZPOPMAX", "BZMPOP",     "WAIT",   "WAITAOF"};

/// These change what no content shows: the connection, the server, other databases.
const Names beyond_database{"ACL",      "AUTH",       "CLIENT",     "CLUSTER",      "CONFIG",       "DEBUG",
                            "FAILOVER", "FUNCTION",   "HELLO",      "MIGRATE",      "MODULE",       "MONITOR",
                            "MOVE",     "PSUBSCRIBE", "PSYNC",      "PUNSUBSCRIBE", "QUIT",         "REPLICAOF",
                            "SELECT",   "SHUTDOWN",   "SLAVEOF",    "SSUBSCRIBE",   "SUNSUBSCRIBE", "SUBSCRIBE",
                            "SWAPDB",   "SYNC",       "UNSUBSCRIBE"};

const Names of_the_clock{"TIME", "EXPIRETIME", "PEXPIRETIME"};

/// After these the content is what it was.
const Names changing_nothing{"DISCARD", "ECHO", "EXISTS", "GET",    "HGET",     "HGETALL", "INFO",    "LRANGE",
                             "MULTI",   "PING", "PTTL",   "STRLEN", "SMEMBERS", "TTL",     "UNWATCH", "WATCH"};

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string value_of(const std::string& word, const std::vector<Parameter>& parameters) {
  const std::vector<Placeholder> named = placeholders(word);
  if (named.size() != 1 || named[0].length != word.size()) return word;
  for (const Parameter& parameter : parameters) {
    if (parameter.name == named[0].name) return parameter.value.value_or("");
  }
  throw Malformed{fmt::format("ERR the parameter '{}' has no value", word)};
}

std::string quoted_word(std::string_view text, std::size_t& at) {
  const std::size_t end = text.find(text[at], at + 1);
  if (end == std::string::npos) throw Malformed{"ERR a quote is not closed"};
  std::string word(text.substr(at + 1, end - at - 1));
  at = end + 1;
  if (at < text.size() && !is_space(text[at])) throw Malformed{"ERR a space must follow a closing quote"};
  return word;
}

std::string bare_word(std::string_view text, std::size_t& at) {
  const std::size_t begin = at;
  for (; at < text.size() && !is_space(text[at]); ++at) {
    if (text[at] == '\'' || text[at] == '"') throw Malformed{"ERR a quote must stand at the beginning of a word"};
  }
  return std::string(text.substr(begin, at - begin));
}

bool waits_for_a_stream(const Words& words) {
  for (const std::string& word : words) {
    if (upper(word) == "STREAMS") return false;
    if (upper(word) == "BLOCK") return true;
  }
  return false;
}

}  // namespace

bool is_in(const std::string& name, const Names& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

Words words_of(const Statement& statement) {
  const std::string_view text = statement.text;
  Words words;
  for (std::size_t at = 0; at < text.size();) {
    if (is_space(text[at])) {
      ++at;
    } else if (text[at] == '\'' || text[at] == '"') {
      words.push_back(quoted_word(text, at));
    } else {
      words.push_back(value_of(bare_word(text, at), statement.parameters));
    }
  }
  if (words.empty()) throw Malformed{"ERR there is no command"};
  words[0] = upper(words[0]);
  return words;
}

void require_explorable(const Words& words, bool in_transaction) {
  const std::string& name = words[0];
  if (is_in(name, blocking) || (is_in(name, {"XREAD", "XREADGROUP"}) && waits_for_a_stream(words))) {
    throw Malformed{fmt::format("ERR {}: blocking commands cannot be explored", name)};
  }
  if (is_in(name, beyond_database)) {
    throw Malformed{fmt::format("ERR {}: what is not in the database cannot be explored", name)};
  }
  if (is_in(name, of_the_clock)) {
    throw Malformed{fmt::format("ERR {}: the clock cannot be explored; give the time as a parameter", name)};
  }
  if (name != "SCRIPT") return;
  const bool known = words.size() > 1 && is_in(upper(words[1]), {"LOAD", "FLUSH", "EXISTS"});
  if (in_transaction || !known) {
    throw Malformed{"ERR SCRIPT: only LOAD, FLUSH and EXISTS, outside of transactions, can be explored"};
  }
}

bool changes_nothing(const std::string& name) { return is_in(name, changing_nothing); }

}  // namespace fencecheck::engines
