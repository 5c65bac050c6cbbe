// Answers to a misspelt name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fencecheck {

/// The one of `known` that `name` was probably meant to be; empty where none is near.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

/// "unknown design 'fence-row'; did you mean 'fenced-row'?", or all the names where none is near.
std::string unknown_name(std::string_view kind, std::string_view name, const std::vector<std::string>& known);

}  // namespace fencecheck
