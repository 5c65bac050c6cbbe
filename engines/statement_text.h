// Statements and answers as text: where parameters stand, and what a person reads.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fencecheck/engines/engine.h>

namespace fencecheck::engines {

/// A `:name` in a text: where it begins (at its colon), how long it is, and the name.
struct Placeholder {
  std::size_t begin = 0;
  std::size_t length = 0;
  std::string name;
};

/// The parameters that `text` names, in order, each place of each. Not in quotes ('…', "…"), not behind another colon
/// (`::text` is a cast) or a name (`lock:orders` is a key), and only where a name begins with a letter.
std::vector<Placeholder> placeholders(std::string_view text);

/// The first parameter of `text` that an SQL engine of that kind ("sqlite", "postgresql") knows by its place or number:
/// "?", "?1", "$1"; empty where there is none. Not in quotes.
std::string numbered_parameter(std::string_view text, std::string_view kind);

/// A statement as a person would type it, with its parameters in place.
std::string in_place(const Statement& statement);

/// What `statement` was answered, in words; without an answer it is blocked.
std::string in_words(const std::string& statement, const std::optional<Answer>& answer);

}  // namespace fencecheck::engines
