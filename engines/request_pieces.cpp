#include <fencecheck/engines/request_pieces.h>

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include <fencecheck/engines/statement_text.h>

namespace fencecheck::engines {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_quote(char c) { return c == '\'' || c == '"'; }

}  // namespace

Pieces::Pieces(const Statement& statement, std::vector<std::string_view> signs, std::vector<std::string_view> reserved)
    : signs_(std::move(signs)), reserved_(std::move(reserved)) {
  const std::string_view text = statement.text;
  for (std::size_t at = 0; at < text.size();) {
    if (is_space(text[at])) {
      ++at;
    } else if (is_quote(text[at])) {
      pieces_.push_back(quoted_at(text, at));
    } else if (const std::string sign(sign_at(text, at)); !sign.empty()) {
      at += sign.size();
      pieces_.push_back({sign, true, sign});
    } else {
      pieces_.push_back(bare_at(text, at, statement.parameters));
    }
  }
}

/// Empty where there is none.
std::string_view Pieces::sign_at(std::string_view text, std::size_t at) const {
  const auto sign = std::find_if(signs_.begin(), signs_.end(),
                                 [&](std::string_view each) { return text.substr(at).starts_with(each); });
  return sign == signs_.end() ? std::string_view() : *sign;
}

Piece Pieces::quoted_at(std::string_view text, std::size_t& at) const {
  const std::size_t begin = at;
  const std::size_t end = text.find(text[begin], begin + 1);
  if (end == std::string_view::npos) throw Malformed{"a quote is not closed"};
  at = end + 1;
  if (at < text.size() && !is_space(text[at]) && sign_at(text, at).empty()) {
    throw Malformed{"a space must follow a closing quote"};
  }
  return {std::string(text.substr(begin, at - begin)), false, std::string(text.substr(begin + 1, end - begin - 1))};
}

Piece Pieces::bare_at(std::string_view text, std::size_t& at, const std::vector<Parameter>& parameters) const {
  const std::size_t begin = at;
  for (; at < text.size() && !is_space(text[at]) && sign_at(text, at).empty(); ++at) {
    if (is_quote(text[at])) throw Malformed{"a quote must stand at the beginning of a word"};
  }
  const std::string word(text.substr(begin, at - begin));
  const std::vector<Placeholder> named = placeholders(word);
  if (named.size() != 1 || named[0].length != word.size()) return {word, true, word};
  for (const Parameter& parameter : parameters) {
    if (parameter.name == named[0].name) return {word, false, parameter.value};
  }
  throw Malformed{fmt::format("the parameter '{}' has no value", word)};
}

bool Pieces::take(std::string_view wanted) {
  if (at_end() || !pieces_[at_].plain || pieces_[at_].text != wanted) return false;
  ++at_;
  return true;
}

const Piece& Pieces::word(const std::string& wanted) {
  const auto is_in = [&](const std::vector<std::string_view>& list) {
    return std::find(list.begin(), list.end(), pieces_[at_].text) != list.end();
  };
  if (at_end() || (pieces_[at_].plain && (is_in(reserved_) || is_in(signs_)))) complain(wanted);
  return pieces_[at_++];
}

void Pieces::complain(const std::string& wanted) const {
  const std::string where = at_ == 0 ? "at the beginning" : fmt::format("behind `{}`", pieces_[at_ - 1].text);
  const std::string found = at_end() ? "nothing" : fmt::format("`{}`", pieces_[at_].text);
  throw Malformed{fmt::format("{} should stand {}, and there is {}", wanted, where, found)};
}

}  // namespace fencecheck::engines
