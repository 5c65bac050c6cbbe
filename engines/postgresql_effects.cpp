#include <fencecheck/engines/postgresql_effects.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace fencecheck::engines::postgresql {
namespace {

constexpr std::array<std::string_view, 10> of_transactions{"begin", "commit",  "rollback",  "start", "end",
                                                           "abort", "release", "savepoint", "lock",  "show"};
constexpr std::array<std::string_view, 6> of_rows{"insert", "update", "delete", "merge", "with", "truncate"};
constexpr std::array<std::string_view, 3> of_reading{"select", "table", "values"};
constexpr std::array<std::string_view, 7> of_definitions{"create", "alter",  "drop",   "comment",
                                                         "grant",  "revoke", "reindex"};

/// In lower case, without what stands before the first word: blanks, parentheses and comments.
std::string plain(const std::string& statement) {
  std::size_t at = 0;
  while (at < statement.size()) {
    if (statement.compare(at, 2, "--") == 0) {
      at = std::min(statement.find('\n', at), statement.size());
    } else if (statement.compare(at, 2, "/*") == 0) {
      at = std::min(statement.find("*/", at), statement.size() - 2) + 2;
    } else if (std::isalpha(static_cast<unsigned char>(statement[at])) != 0) {
      break;
    } else {
      ++at;
    }
  }
  std::string text = statement.substr(at);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

template <std::size_t size>
bool is_one_of(const std::array<std::string_view, size>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

Effects Effects::of(const std::string& statement) {
  const std::string text = plain(statement);
  const auto names = [&](std::string_view part) { return text.find(part) != std::string::npos; };
  const auto end = std::find_if(text.begin(), text.end(), [](unsigned char c) { return std::isalpha(c) == 0; });
  const std::string_view word = std::string_view(text).substr(0, static_cast<std::size_t>(end - text.begin()));

  Effects effects;
  effects.locks_by_name = names("advisory");
  effects.outlives = names(" temp") || names("set_config") || names("currval") || names("lastval");
  if (is_one_of(of_reading, word)) {
    effects.defines = names("into");  // SELECT … INTO makes a table
  } else if (is_one_of(of_rows, word)) {
    effects.writes = true;
  } else if (is_one_of(of_definitions, word)) {
    effects.writes = effects.defines = true;
  } else if (is_one_of(of_transactions, word)) {
    effects.commits = word == "commit" || word == "end";
  } else {
    effects = {true, true, true, true, effects.locks_by_name};
  }
  return effects;
}

}  // namespace fencecheck::engines::postgresql
