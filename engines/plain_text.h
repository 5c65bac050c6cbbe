// What engines share in reading and writing text: quotes, and whole numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fencecheck::engines {

/// `text` in double quotes, with escapes for what is not printable: different texts stay different.
std::string quoted(const std::string& text);

/// A key as a person writes it: in quotes only where it needs them.
std::string key_text(const std::string& key);

/// The number that all of `text` is; nothing where it is none, or too large.
std::optional<std::int64_t> whole_number(std::string_view text);

}  // namespace fencecheck::engines
