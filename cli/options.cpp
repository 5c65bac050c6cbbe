#include <fencecheck/cli/options.h>

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <thread>

namespace fencecheck {
namespace {

std::optional<std::uint64_t> number_in(const std::string& path, const std::string& key) {
  std::ifstream in(path);
  std::string word;
  while (!key.empty() && in >> word && word != key) {
  }
  std::uint64_t number = 0;
  if (in >> number) return number;
  return std::nullopt;
}

std::string& name_of_program() {
  static std::string name = "fencecheck";
  return name;
}

}  // namespace

const std::string& program_name() { return name_of_program(); }

void set_program_name(const char* argv0) {
  const std::string path = argv0 == nullptr ? "" : argv0;
  const std::string name = path.substr(path.rfind('/') + 1);
  if (!name.empty()) name_of_program() = name;
}

template <class Number>
Number parse_number(const std::string& option, const std::string& text, const std::string& what) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (!whole || !std::isfinite(static_cast<double>(number))) {
    throw UsageError(fmt::format("{} {}: it must be {}", option, text.empty() ? "''" : text, what));
  }
  return number;
}
template int parse_number(const std::string&, const std::string&, const std::string&);
template std::uint64_t parse_number(const std::string&, const std::string&, const std::string&);
template double parse_number(const std::string&, const std::string&, const std::string&);

std::uint64_t parse_size(const std::string& option, const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(end, text.data() + text.size());
  const std::string units = "KMG";
  const std::size_t power = unit.size() == 1 ? units.find(unit) : std::string::npos;
  if (error != std::errc{} || number == 0 || (!unit.empty() && power == std::string::npos)) {
    throw UsageError(fmt::format("{} {}: not a size; a size is a number of bytes, or one with K, M or G, such as 512M",
                                 option, text));
  }
  const unsigned shift = unit.empty() ? 0 : 10 * (static_cast<unsigned>(power) + 1);
  if (number > std::numeric_limits<std::uint64_t>::max() >> shift) {
    throw UsageError(fmt::format("{} {}: more memory than a 64-bit machine can have", option, text));
  }
  return number << shift;
}

std::pair<std::string, std::string> parse_pair(const std::string& option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw UsageError(fmt::format("{} {}: it must have the form NAME=VALUE", option, text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

Bounds WorldOptions::applied_to(Bounds bounds) const {
  bounds.workers = workers.value_or(bounds.workers);
  bounds.leases = leases.value_or(bounds.leases);
  for (std::size_t f = 0; f < fault_count; ++f) {
    int& count = bounds.*fencecheck::faults[f].budget;
    count = faults[f].value_or(count);
  }
  if (no_expiry) bounds.expiry = false;
  return bounds;
}

void apply_settings(const std::vector<std::string>& settings, SwitchValues& switches) {
  for (const std::string& each : settings) {
    const auto [name, value] = parse_pair("--set", each);
    switches[name] = value;
  }
}

int standard_threads() { return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 64); }

std::uint64_t standard_memory_limit() {
  constexpr std::uint64_t fallback = std::uint64_t{4} << 30;
  std::uint64_t available = fallback;
  if (const auto kilobytes = number_in("/proc/meminfo", "MemAvailable:")) available = *kilobytes * 1024;
  if (const auto container = number_in("/sys/fs/cgroup/memory.max", "")) available = std::min(available, *container);
  return available / 10 * 8;
}

bool wanted(const std::string& when, int fd) { return when == "always" || (when == "auto" && isatty(fd) != 0); }

}  // namespace fencecheck
