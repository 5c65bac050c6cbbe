#include <fencecheck/engines/etcd_request.h>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace fencecheck::engines::etcd {
namespace {

/// Far above all revisions, and far enough from the end to be counted on from.
constexpr std::int64_t largest_number = std::int64_t{1} << 60;

class Parser {
 public:
  explicit Parser(const Statement& statement)
      : pieces_(statement, {"!=", "<=", ">=", "(", ")", ";", "=", "<", ">"}, {"if", "then", "else", "and", "txn"}) {}

  Request request() {
    Request request;
    if (pieces_.take("advance")) {
      request.advance_to = number();
    } else if (pieces_.take("txn")) {
      request.is_txn = true;
      if (pieces_.take("if")) request.conditions = conditions();
      if (!pieces_.take("then")) pieces_.complain("`then`");
      request.then = operations();
      if (pieces_.take("else")) request.otherwise = operations();
    } else {
      request.then.push_back(operation("`put`, `get`, `del`, `txn` or `advance`"));
    }
    if (pieces_.at_end()) return request;
    pieces_.complain(request.is_txn ? "`;` and another operation, or the end" : "the end");
  }

 private:
  std::string word(const std::string& wanted) { return pieces_.word(wanted).value.value_or(""); }

  std::vector<Operation> operations() {
    std::vector<Operation> found;
    do {
      found.push_back(operation("`put`, `get` or `del`"));
    } while (pieces_.take(";"));
    return found;
  }

  Operation operation(const std::string& wanted) {
    Operation operation;
    if (pieces_.take("put")) {
      operation.verb = Operation::Verb::put;
      operation.key = word("a key");
      operation.value = word("a value");
      return operation;
    }
    if (pieces_.take("del")) {
      operation.verb = Operation::Verb::del;
    } else if (!pieces_.take("get")) {
      pieces_.complain(wanted);
    }
    operation.key = word("a key");
    return operation;
  }

  std::vector<Condition> conditions() {
    std::vector<Condition> found;
    do {
      found.push_back(condition());
    } while (pieces_.take("and"));
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
    const auto target =
        std::find_if(targets.begin(), targets.end(), [this](const auto& t) { return pieces_.take(t.first); });
    if (target == targets.end()) pieces_.complain("`create_revision`, `mod_revision`, `version` or `value`");
    condition.target = target->second;
    if (!pieces_.take("(")) pieces_.complain("`(KEY)`");
    condition.key = word("a key");
    if (!pieces_.take(")")) pieces_.complain("`)`");
    condition.relation = relation();
    if (condition.target == Target::value) {
      condition.value = word("a value");
    } else {
      condition.number = number();
    }
    return condition;
  }

  Condition::Relation relation() {
    if (pieces_.take("=")) return Condition::Relation::equal;
    if (pieces_.take("!=")) return Condition::Relation::not_equal;
    if (pieces_.take("<")) return Condition::Relation::less;
    if (pieces_.take(">")) return Condition::Relation::greater;
    pieces_.complain("one of = != < > (an etcd compares in no other way)");
  }

  /// Nothing is 0, which is what all numbers of a key are that is not there.
  std::int64_t number() {
    const Piece& piece = pieces_.word("a number");
    const std::string& written = piece.text;
    const std::string text = piece.value.value_or("");
    if (text.empty()) return 0;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = error == std::errc() && end == text.data() + text.size();
    if (is_number && number >= -largest_number && number <= largest_number) return number;
    if (is_number || error == std::errc::result_out_of_range) throw Malformed{fmt::format("{} is too large", text)};
    const std::string meaning = written == text ? "" : fmt::format(" is '{}', which", text);
    throw Malformed{fmt::format("`{}`{} is no whole number", written, meaning)};
  }

  Pieces pieces_;
};

}  // namespace

Request request_of(const Statement& statement) { return Parser(statement).request(); }

}  // namespace fencecheck::engines::etcd
