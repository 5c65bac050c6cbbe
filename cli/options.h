// What was typed, as data.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fencecheck/model/world.h>

namespace fencecheck {

/// Bounds and switches, as typed: those that are not are the design's own.
struct WorldOptions {
  std::optional<int> workers;
  std::optional<int> leases;
  std::array<std::optional<int>, fault_count> faults;
  bool no_expiry = false;
  std::vector<std::string> set;  // KEY=VALUE

  bool any() const {
    const bool any_fault = std::any_of(faults.begin(), faults.end(), [](const auto& each) { return each.has_value(); });
    return workers || leases || any_fault || no_expiry || !set.empty();
  }

  /// `bounds` with what was typed in their place.
  Bounds applied_to(Bounds bounds) const;
};

/// `check`, as typed.
struct CheckCommand {
  std::vector<std::string> designs;
  bool all = false;
  std::string scenario;
  WorldOptions world;
  std::vector<std::string> properties;
  std::string symmetry = "on";
  std::optional<int> threads;
  bool stop_at_first = false;
  std::optional<std::uint64_t> max_states;
  std::optional<int> max_depth;
  std::optional<double> time_limit;
  std::string memory_limit;
  std::optional<std::uint64_t> simulate;
  std::optional<std::uint64_t> seed;
  std::string format = "text";
  std::string junit;
  std::string trace;
  std::string engine_url;
  std::string emit_sql;
  std::string emit_isolation;
  bool witness = false;
  bool coverage = false;
  std::vector<std::string> expect;  // PROPERTY=VERDICT
  std::string progress = "auto";
  std::string color = "auto";
};

/// `conform`, as typed.
struct ConformCommand {
  std::string design;
  std::string file;
  WorldOptions world;
  std::string engine_url;
  std::string color = "auto";
};

/// `matrix`, as typed.
struct MatrixCommand {
  std::vector<std::string> designs;  // empty: all
  int most_faults = 2;
  int threads = 1;
  std::string format = "text";
  std::string progress = "auto";
};

/// `mutate`, as typed.
struct MutateCommand {
  std::string design;
  WorldOptions world;
  bool runs = false;
  std::string format = "text";
  std::string color = "auto";
};

/// What the command was called by: it may be a user's own, with his designs. For messages that name a command.
const std::string& program_name();
void set_program_name(const char* argv0);

/// `text` as a number in decimal digits. Throws UsageError that says `what` it must be, such as "a whole number".
template <class Number>
Number parse_number(const std::string& option, const std::string& text, const std::string& what);

/// "512M" as bytes: a number, and K, M or G for powers of 1024. Throws UsageError.
std::uint64_t parse_size(const std::string& option, const std::string& text);

/// The two sides of "KEY=VALUE". Throws UsageError where there is no `=`.
std::pair<std::string, std::string> parse_pair(const std::string& option, const std::string& text);

/// Sets what the `--set NAME=VALUE`s in `settings` say. Throws UsageError where one has no `=`.
void apply_settings(const std::vector<std::string>& settings, SwitchValues& switches);

/// One thread for each processor, 1 to 64.
int standard_threads();

/// Memory that a search may take unless told otherwise: most of what this machine or container has left, in bytes.
std::uint64_t standard_memory_limit();

/// Whether file descriptor `fd` shall get what `when` decides about.
bool wanted(const std::string& when, int fd);

}  // namespace fencecheck
