#include <fencecheck/engines/plain_text.h>

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace fencecheck::engines {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c >= ' ' && c <= '~') {
      out += c;
    } else {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return out + '"';
}

std::string key_text(const std::string& key) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("_:.-/{}").find(c) != std::string::npos;
  };
  return !key.empty() && std::all_of(key.begin(), key.end(), is_plain) ? key : quoted(key);
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace fencecheck::engines
