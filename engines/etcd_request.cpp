#include <fencecheck/engines/etcd_request.h>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include <fencecheck/engines/statement_text.h>

namespace fencecheck::engines::etcd {
namespace {

/// A piece of a statement: a sign, a word, or, where it was in quotes or is a parameter's value, a literal.
struct Piece {
  std::string text;   ///< as it stands in the statement
  bool plain = true;  ///< no literal: it may be a sign or one of the language's words
  std::string value;  ///< what it means where a key or a value is wanted
};

constexpr std::string_view signs = "();=<>";
constexpr std::array<std::string_view, 14> reserved{"if", "then", "else", "and", "txn", "(",  ")",
                                                    ";",  "=",    "!=",   "<",   ">",   "<=", ">="};

/// Far above all revisions, and far enough from the end to be counted on from.
constexpr std::int64_t largest_number = std::int64_t{1} << 60;

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

bool is_sign(std::string_view text, std::size_t at) {
  return signs.find(text[at]) != std::string_view::npos ||
         (text[at] == '!' && at + 1 < text.size() && text[at + 1] == '=');
}

Piece sign_at(std::string_view text, std::size_t& at) {
  const std::size_t begin = at++;
  const bool may_go_on = text[begin] == '!' || text[begin] == '<' || text[begin] == '>';
  if (may_go_on && at < text.size() && text[at] == '=') ++at;
  const std::string sign(text.substr(begin, at - begin));
  return {sign, true, sign};
}

Piece quoted_at(std::string_view text, std::size_t& at) {
  const std::size_t begin = at;
  const std::size_t end = text.find(text[begin], begin + 1);
  if (end == std::string_view::npos) throw Malformed{"a quote is not closed"};
  at = end + 1;
  if (at < text.size() && !is_space(text[at]) && !is_sign(text, at)) {
    throw Malformed{"a space must follow a closing quote"};
  }
  return {std::string(text.substr(begin, at - begin)), false, std::string(text.substr(begin + 1, end - begin - 1))};
}

Piece bare_at(std::string_view text, std::size_t& at, const std::vector<Parameter>& parameters) {
  const std::size_t begin = at;
  for (; at < text.size() && !is_space(text[at]) && !is_sign(text, at); ++at) {
    if (text[at] == '\'' || text[at] == '"') throw Malformed{"a quote must stand at the beginning of a word"};
  }
  const std::string word(text.substr(begin, at - begin));
  const std::vector<Placeholder> named = placeholders(word);
  if (named.size() != 1 || named[0].length != word.size()) return {word, true, word};
  for (const Parameter& parameter : parameters) {
    if (parameter.name == named[0].name) return {word, false, parameter.value.value_or("")};
  }
  throw Malformed{fmt::format("the parameter '{}' has no value", word)};
}

std::vector<Piece> pieces_of(const Statement& statement) {
  const std::string_view text = statement.text;
  std::vector<Piece> pieces;
  for (std::size_t at = 0; at < text.size();) {
    if (is_space(text[at])) {
      ++at;
    } else if (text[at] == '\'' || text[at] == '"') {
      pieces.push_back(quoted_at(text, at));
    } else if (is_sign(text, at)) {
      pieces.push_back(sign_at(text, at));
    } else {
      pieces.push_back(bare_at(text, at, statement.parameters));
    }
  }
  return pieces;
}

class Parser {
 public:
  explicit Parser(const Statement& statement) : pieces_(pieces_of(statement)) {}

  Request request() {
    Request request;
    if (take("advance")) {
      request.advance_to = number();
    } else if (take("txn")) {
      request.is_txn = true;
      if (take("if")) request.conditions = conditions();
      if (!take("then")) complain("`then`");
      request.then = operations();
      if (take("else")) request.otherwise = operations();
    } else {
      request.then.push_back(operation("`put`, `get`, `del`, `txn` or `advance`"));
    }
    if (at_ == pieces_.size()) return request;
    complain(request.is_txn ? "`;` and another operation, or the end" : "the end");
  }

 private:
  bool is_next(std::string_view word) const {
    return at_ < pieces_.size() && pieces_[at_].plain && pieces_[at_].text == word;
  }
  bool take(std::string_view word) {
    if (!is_next(word)) return false;
    ++at_;
    return true;
  }

  [[noreturn]] void complain(const std::string& wanted) const {
    const std::string where = at_ == 0 ? "at the beginning" : fmt::format("behind `{}`", pieces_[at_ - 1].text);
    const std::string found = at_ < pieces_.size() ? fmt::format("`{}`", pieces_[at_].text) : "nothing";
    throw Malformed{fmt::format("{} should stand {}, and there is {}", wanted, where, found)};
  }

  std::string word(const std::string& wanted) {
    const bool is_word =
        at_ < pieces_.size() &&
        (!pieces_[at_].plain || std::find(reserved.begin(), reserved.end(), pieces_[at_].text) == reserved.end());
    if (!is_word) complain(wanted);
    return pieces_[at_++].value;
  }

  std::vector<Operation> operations() {
    std::vector<Operation> found;
    do {
      found.push_back(operation("`put`, `get` or `del`"));
    } while (take(";"));
    return found;
  }

  Operation operation(const std::string& wanted) {
    Operation operation;
    if (take("put")) {
      operation.verb = Operation::Verb::put;
      operation.key = word("a key");
      operation.value = word("a value");
      return operation;
    }
    if (take("del")) {
      operation.verb = Operation::Verb::del;
    } else if (!take("get")) {
      complain(wanted);
    }
    operation.key = word("a key");
    return operation;
  }

  std::vector<Condition> conditions() {
    std::vector<Condition> found;
    do {
      found.push_back(condition());
    } while (take("and"));
    return found;
  }

  Condition condition() {
    using Target = Condition::Target;
    static const std::array<std::pair<std::string_view, Target>, 4> targets{
        {{"create_revision", Target::create_revision},
         {"mod_revision", Target::mod_revision},
         {"version", Target::version},
         {"value", Target::value}}};
    Condition condition;
    const auto target = std::find_if(targets.begin(), targets.end(), [this](const auto& t) { return take(t.first); });
    if (target == targets.end()) complain("`create_revision`, `mod_revision`, `version` or `value`");
    condition.target = target->second;
    if (!take("(")) complain("`(KEY)`");
    condition.key = word("a key");
    if (!take(")")) complain("`)`");
    condition.relation = relation();
    if (condition.target == Target::value) {
      condition.value = word("a value");
    } else {
      condition.number = number();
    }
    return condition;
  }

  Condition::Relation relation() {
    if (take("=")) return Condition::Relation::equal;
    if (take("!=")) return Condition::Relation::not_equal;
    if (take("<")) return Condition::Relation::less;
    if (take(">")) return Condition::Relation::greater;
    complain("one of = != < > (an etcd compares in no other way)");
  }

  /// Nothing is 0, which is what all numbers of a key are that is not there.
  std::int64_t number() {
    const std::string written = at_ < pieces_.size() ? pieces_[at_].text : "";
    const std::string text = word("a number");
    if (text.empty()) return 0;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = error == std::errc() && end == text.data() + text.size();
    if (is_number && number >= -largest_number && number <= largest_number) return number;
    if (is_number || error == std::errc::result_out_of_range) throw Malformed{fmt::format("{} is too large", text)};
    const std::string meaning = written == text ? "" : fmt::format(" is '{}', which", text);
    throw Malformed{fmt::format("`{}`{} is no whole number", written, meaning)};
  }

  std::vector<Piece> pieces_;
  std::size_t at_ = 0;
};

}  // namespace

Request request_of(const Statement& statement) { return Parser(statement).request(); }

}  // namespace fencecheck::engines::etcd
