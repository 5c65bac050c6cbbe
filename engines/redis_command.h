// A Redis command, from the text of a statement to the words that are sent.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fencecheck/engines/engine.h>
#include <fencecheck/engines/request_pieces.h>

namespace fencecheck::engines {

using Words = std::vector<std::string>;
using Names = std::vector<std::string_view>;

bool is_in(const std::string& name, const Names& names);
std::string upper(std::string text);
std::string lower(std::string text);

/// The words of a command, the first in capitals, with their parameters put in: white space is between words; a word in
/// '…' or "…" is literal; a bare word that is exactly `:name` is that parameter's value, nothing is the empty string.
/// Throws Malformed, with an error of Redis: "ERR …".
Words words_of(const Statement& statement);

/// Throws Malformed where a command cannot be a step of an exploration: where it waits, asks for the time, or changes
/// what no content shows.
void require_explorable(const Words& words, bool in_transaction);

/// Whether the content is after the command `name` what it was before. False where that is not known.
bool changes_nothing(const std::string& name);

}  // namespace fencecheck::engines
