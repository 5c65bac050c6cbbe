#include <fencecheck/engines/statement_text.h>

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

namespace fencecheck::engines {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Where the text goes on from `at` that is not in quotes; its end where a quote is not closed.
std::size_t behind_quotes(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == '\'' || text[at] == '"')) {
    const std::size_t end = text.find(text[at], at + 1);
    if (end == std::string_view::npos) return text.size();
    at = end + 1;
  }
  return at;
}

/// Whether a statement is told by the rows that it changed.
bool changes_rows(const std::string& text) {
  std::string word = text.substr(0, text.find_first_of(" \n\t"));
  for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return word == "INSERT" || word == "UPDATE" || word == "DELETE" || word == "REPLACE" || word == "MERGE";
}

}  // namespace

std::vector<Placeholder> placeholders(std::string_view text) {
  std::vector<Placeholder> found;
  for (std::size_t i = 0; i < text.size(); ++i) {
    i = behind_quotes(text, i);
    if (i >= text.size() || text[i] != ':' || i + 1 >= text.size()) continue;
    if (text[i + 1] == ':') {
      ++i;
      continue;
    }
    if (!is_letter(text[i + 1]) || (i != 0 && is_of_name(text[i - 1]))) continue;
    std::size_t end = i + 1;
    while (end < text.size() && is_of_name(text[end])) ++end;
    found.push_back({i, end - i, std::string(text.substr(i + 1, end - i - 1))});
    i = end - 1;
  }
  return found;
}

std::string numbered_parameter(std::string_view text, std::string_view kind) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    i = behind_quotes(text, i);
    if (i >= text.size()) break;
    // In PostgreSQL it is an operator, too, but not behind one of these.
    const std::size_t before = i == 0 ? std::string_view::npos : text.find_last_not_of(" \t\n", i - 1);
    const bool is_value = before == std::string_view::npos || text.find_first_of("=<>,(", before) == before;
    const bool question = text[i] == '?' && (kind == "sqlite" || is_value);
    if (!question && text[i] != '$') continue;
    std::size_t end = i + 1;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    if (question || end > i + 1) return std::string(text.substr(i, end - i));
  }
  return {};
}

std::string in_place(const Statement& statement) {
  std::string text;
  std::size_t done = 0;
  for (const Placeholder& each : placeholders(statement.text)) {
    text += statement.text.substr(done, each.begin - done);
    const auto found = std::find_if(statement.parameters.begin(), statement.parameters.end(),
                                    [&](const Parameter& p) { return p.name == each.name; });
    const Cell value = found == statement.parameters.end() ? Cell{} : found->value;
    const bool number = value && !value->empty() && value->find_first_not_of("0123456789") == std::string::npos;
    text += !value ? "NULL" : number ? *value : "'" + *value + "'";
    done = each.begin + each.length;
  }
  return text + statement.text.substr(done);
}

std::string in_words(const std::string& statement, const std::optional<Answer>& answer) {
  if (!answer) return "blocked: it waits for another session";
  if (!answer->error.empty()) return fmt::format("error {}: {}", answer->error, answer->message);
  if (answer->columns.empty() && answer->rows == 0 && !changes_rows(statement)) return "done";
  if (answer->columns.empty()) return fmt::format("{} row{}", answer->rows, answer->rows == 1 ? "" : "s");
  if (answer->table.empty()) return "nothing";
  std::string text;
  for (std::size_t r = 0; r < answer->table.size(); ++r) {
    for (std::size_t c = 0; c < answer->table[r].size(); ++c) {
      text += (c != 0 ? ", " : r != 0 ? "; " : "") + answer->table[r][c].value_or("NULL");
    }
  }
  return text;
}

}  // namespace fencecheck::engines
