#include <fencecheck/engines/zookeeper_request.h>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <string_view>

#include <fencecheck/engines/plain_text.h>
#include <fencecheck/engines/statement_text.h>

namespace fencecheck::engines::zookeeper {
namespace {

/// A piece of a statement: a sign, a word, or, where it was in quotes or is a parameter's value, a literal.
struct Piece {
  std::string text;   ///< as it stands in the statement
  bool plain = true;  ///< no literal: it may be a sign or one of the language's words
  Cell value;         ///< what it means where a path, a value or a version is wanted
};

constexpr std::string_view signs = ";=";
constexpr std::array<std::string_view, 6> reserved{"if", "version", "ephemeral", "sequential", ";", "="};

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_sign(char c) { return signs.find(c) != std::string_view::npos; }

Piece quoted_at(std::string_view text, std::size_t& at) {
  const std::size_t begin = at;
  const std::size_t end = text.find(text[begin], begin + 1);
  if (end == std::string_view::npos) throw Malformed{"a quote is not closed"};
  at = end + 1;
  if (at < text.size() && !is_space(text[at]) && !is_sign(text[at])) {
    throw Malformed{"a space must follow a closing quote"};
  }
  return {std::string(text.substr(begin, at - begin)), false, std::string(text.substr(begin + 1, end - begin - 1))};
}

Piece bare_at(std::string_view text, std::size_t& at, const std::vector<Parameter>& parameters) {
  const std::size_t begin = at;
  for (; at < text.size() && !is_space(text[at]) && !is_sign(text[at]); ++at) {
    if (text[at] == '\'' || text[at] == '"') throw Malformed{"a quote must stand at the beginning of a word"};
  }
  const std::string word(text.substr(begin, at - begin));
  const std::vector<Placeholder> named = placeholders(word);
  if (named.size() != 1 || named[0].length != word.size()) return {word, true, word};
  for (const Parameter& parameter : parameters) {
    if (parameter.name == named[0].name) return {word, false, parameter.value};
  }
  throw Malformed{fmt::format("the parameter '{}' has no value", word)};
}

std::vector<Piece> pieces_of(const Statement& statement) {
  const std::string_view text = statement.text;
  std::vector<Piece> pieces;
  for (std::size_t at = 0; at < text.size();) {
    if (is_space(text[at])) {
      ++at;
    } else if (is_sign(text[at])) {
      const std::string sign(1, text[at++]);
      pieces.push_back({sign, true, sign});
    } else if (text[at] == '\'' || text[at] == '"') {
      pieces.push_back(quoted_at(text, at));
    } else {
      pieces.push_back(bare_at(text, at, statement.parameters));
    }
  }
  return pieces;
}

/// Why `path` is none; nothing where it is one. ZooKeeper takes more characters, but not all that it takes come back.
std::string_view fault_of(std::string_view path, bool may_end_in_slash) {
  if (!path.starts_with('/')) return "it must begin with /";
  if (!std::all_of(path.begin(), path.end(), [](char c) { return c >= ' ' && c <= '~'; })) {
    return "only printable ASCII may be in it";
  }
  if (path == "/") return {};
  for (std::size_t begin = 1; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    if (part == "." || part == "..") return "no part of it may be . or ..";
    if (part.empty() && end < path.size()) return "it has two / in a row";
    if (part.empty() && !may_end_in_slash) return "only that of a sequential node may end in /";
    begin = end + 1;
  }
  return {};
}

class Parser {
 public:
  explicit Parser(const Statement& statement) : pieces_(pieces_of(statement)) {}

  Request request() {
    Request request;
    request.apart = take("apart:");
    request.is_multi = take("multi");
    if (request.is_multi) {
      do {
        request.operations.push_back(change());
      } while (take(";"));
    } else {
      request.operations.push_back(single());
    }
    if (at_ == pieces_.size()) return request;
    complain(request.is_multi ? "`;` and another operation, or the end" : "the end");
  }

 private:
  bool take(std::string_view word) {
    if (at_ >= pieces_.size() || !pieces_[at_].plain || pieces_[at_].text != word) return false;
    ++at_;
    return true;
  }

  [[noreturn]] void complain(const std::string& wanted) const {
    const std::string where = at_ == 0 ? "at the beginning" : fmt::format("behind `{}`", pieces_[at_ - 1].text);
    const std::string found = at_ < pieces_.size() ? fmt::format("`{}`", pieces_[at_].text) : "nothing";
    throw Malformed{fmt::format("{} should stand {}, and there is {}", wanted, where, found)};
  }

  [[noreturn]] static void complain_of(const Piece& piece, std::string_view what, std::string_view rule) {
    const std::string meaning = piece.plain || !piece.text.starts_with(':') ? ""
                                : piece.value ? fmt::format(" is '{}', which", *piece.value)
                                              : " is nothing, which";
    throw Malformed{fmt::format("`{}`{} is no {}: {}", piece.text, meaning, what, rule)};
  }

  const Piece& word(const std::string& wanted) {
    const bool is_word =
        at_ < pieces_.size() &&
        (!pieces_[at_].plain || std::find(reserved.begin(), reserved.end(), pieces_[at_].text) == reserved.end());
    if (!is_word) complain(wanted);
    return pieces_[at_++];
  }

  static std::string path_in(const Piece& piece, bool may_end_in_slash = false) {
    std::string path = piece.value.value_or("");
    const std::string_view fault = fault_of(path, may_end_in_slash);
    if (!fault.empty()) complain_of(piece, "path", fault);
    return path;
  }

  /// Nothing is no version: who has read that a node is not there must not write to whichever comes to be there.
  int version() {
    const Piece& piece = word("a version");
    const auto number = whole_number(piece.value.value_or(""));
    if (number && *number >= 0 && *number <= std::numeric_limits<int>::max()) return static_cast<int>(*number);
    complain_of(piece, "version", fmt::format("that is a whole number up to {}", std::numeric_limits<int>::max()));
  }

  int named_version() {
    if (!take("version")) complain("`version = N`");
    if (!take("=")) complain("`=`");
    return version();
  }

  Operation single() {
    using Verb = Operation::Verb;
    for (const auto& [name, verb] : {std::pair{"get", Verb::get}, std::pair{"lowest", Verb::lowest},
                                     std::pair{"count", Verb::count}, std::pair{"expire", Verb::expire}}) {
      if (take(name)) return {.verb = verb, .path = path_in(word("a path"))};
    }
    if (take("create")) return create();
    if (take("set")) return set();
    if (take("delete")) return remove();
    complain("`create`, `set`, `get`, `delete`, `lowest`, `count`, `expire` or `multi`");
  }

  Operation change() {
    if (take("create")) return create();
    if (take("set")) return set();
    if (take("delete")) return remove();
    if (!take("check")) complain("`create`, `set`, `delete` or `check`");
    Operation check{.verb = Operation::Verb::check, .path = path_in(word("a path"))};
    check.version = named_version();
    return check;
  }

  Operation create() {
    Operation create{.verb = Operation::Verb::create, .path = ""};
    const Piece& path = word("a path");
    create.value = word("a value").value.value_or("");
    create.ephemeral = take("ephemeral");
    create.sequential = take("sequential");
    if (!create.ephemeral) create.ephemeral = take("ephemeral");
    create.path = path_in(path, create.sequential);
    return create;
  }

  Operation set() {
    Operation set{.verb = Operation::Verb::set, .path = path_in(word("a path"))};
    set.value = word("a value").value.value_or("");
    if (take("if")) set.version = named_version();
    return set;
  }

  Operation remove() {
    const Piece& path = word("a path");
    Operation remove{.verb = Operation::Verb::remove, .path = path_in(path)};
    if (remove.path == "/") complain_of(path, "path to delete", "the root stays");
    if (take("if")) remove.version = named_version();
    return remove;
  }

  std::vector<Piece> pieces_;
  std::size_t at_ = 0;
};

}  // namespace

Request request_of(const Statement& statement) { return Parser(statement).request(); }

}  // namespace fencecheck::engines::zookeeper
