#include <fencecheck/engines/zookeeper_request.h>

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include <fencecheck/engines/plain_text.h>

namespace fencecheck::engines::zookeeper {
namespace {

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
  explicit Parser(const Statement& statement)
      : pieces_(statement, {";", "="}, {"if", "version", "ephemeral", "sequential"}) {}

  Request request() {
    Request request;
    request.apart = pieces_.take("apart:");
    request.is_multi = pieces_.take("multi");
    if (request.is_multi) {
      do {
        request.operations.push_back(change());
      } while (pieces_.take(";"));
    } else {
      request.operations.push_back(single());
    }
    if (pieces_.at_end()) return request;
    pieces_.complain(request.is_multi ? "`;` and another operation, or the end" : "the end");
  }

 private:
  [[noreturn]] static void complain_of(const Piece& piece, std::string_view what, std::string_view rule) {
    const std::string meaning = piece.plain || !piece.text.starts_with(':') ? ""
                                : piece.value ? fmt::format(" is '{}', which", *piece.value)
                                              : " is nothing, which";
    throw Malformed{fmt::format("`{}`{} is no {}: {}", piece.text, meaning, what, rule)};
  }

  static std::string path_in(const Piece& piece, bool may_end_in_slash = false) {
    std::string path = piece.value.value_or("");
    const std::string_view fault = fault_of(path, may_end_in_slash);
    if (!fault.empty()) complain_of(piece, "path", fault);
    return path;
  }

  /// Nothing is no version: who has read that a node is not there must not write to whichever comes to be there.
  int version() {
    const Piece& piece = pieces_.word("a version");
    const auto number = whole_number(piece.value.value_or(""));
    if (number && *number >= 0 && *number <= std::numeric_limits<int>::max()) return static_cast<int>(*number);
    complain_of(piece, "version", fmt::format("that is a whole number up to {}", std::numeric_limits<int>::max()));
  }

  int named_version() {
    if (!pieces_.take("version")) pieces_.complain("`version = N`");
    if (!pieces_.take("=")) pieces_.complain("`=`");
    return version();
  }

  Operation single() {
    using Verb = Operation::Verb;
    for (const auto& [name, verb] : {std::pair{"get", Verb::get}, std::pair{"lowest", Verb::lowest},
                                     std::pair{"count", Verb::count}, std::pair{"expire", Verb::expire}}) {
      if (pieces_.take(name)) return {.verb = verb, .path = path_in(pieces_.word("a path"))};
    }
    if (pieces_.take("create")) return create();
    if (pieces_.take("set")) return set();
    if (pieces_.take("delete")) return remove();
    pieces_.complain("`create`, `set`, `get`, `delete`, `lowest`, `count`, `expire` or `multi`");
  }

  Operation change() {
    if (pieces_.take("create")) return create();
    if (pieces_.take("set")) return set();
    if (pieces_.take("delete")) return remove();
    if (!pieces_.take("check")) pieces_.complain("`create`, `set`, `delete` or `check`");
    Operation check{.verb = Operation::Verb::check, .path = path_in(pieces_.word("a path"))};
    check.version = named_version();
    return check;
  }

  Operation create() {
    Operation create{.verb = Operation::Verb::create, .path = ""};
    const Piece& path = pieces_.word("a path");
    create.value = pieces_.word("a value").value.value_or("");
    create.ephemeral = pieces_.take("ephemeral");
    create.sequential = pieces_.take("sequential");
    if (!create.ephemeral) create.ephemeral = pieces_.take("ephemeral");
    create.path = path_in(path, create.sequential);
    return create;
  }

  Operation set() {
    Operation set{.verb = Operation::Verb::set, .path = path_in(pieces_.word("a path"))};
    set.value = pieces_.word("a value").value.value_or("");
    if (pieces_.take("if")) set.version = named_version();
    return set;
  }

  Operation remove() {
    const Piece& path = pieces_.word("a path");
    Operation remove{.verb = Operation::Verb::remove, .path = path_in(path)};
    if (remove.path == "/") complain_of(path, "path to delete", "the root stays");
    if (pieces_.take("if")) remove.version = named_version();
    return remove;
  }

  Pieces pieces_;
};

}  // namespace

Request request_of(const Statement& statement) { return Parser(statement).request(); }

}  // namespace fencecheck::engines::zookeeper
