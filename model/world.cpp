#include <fencecheck/model/world.h>

#include <fmt/core.h>

#include <algorithm>

#include <fencecheck/model/switches.h>

namespace fencecheck {

void require_within_range(const Bounds& bounds, const DesignText& design) {
  const auto require = [](std::string_view name, int value, int least, int most) {
    if (value < least || value > most) {
      throw UsageError(fmt::format("--{} is {}; it must be {} to {}", name, value, least, most));
    }
  };
  require("workers", bounds.workers, 1, max_workers);
  require("leases", bounds.leases, 1, max_leases);
  for (std::size_t f = 0; f < fault_count; ++f) {
    const int count = bounds.*faults[f].budget;
    require(faults[f].plural, count, 0, faults[f].most);
    const bool possible =
        std::find(design.faults.begin(), design.faults.end(), static_cast<Fault>(f)) != design.faults.end();
    if (count == 0 || possible) continue;
    const bool vowel = std::string_view("aeio").find(faults[f].noun.front()) != std::string_view::npos;
    throw UsageError(fmt::format("--{} is {}: {} {} cannot happen to {}", faults[f].plural, count, vowel ? "an" : "a",
                                 faults[f].noun, design.name));
  }
  require("late-requests and --duplicates together", bounds.late_requests + bounds.duplicates, 0, max_under_way);
}

void report_bad_switch(std::string_view design, const std::vector<SwitchText>& switches, const std::string& name,
                       const std::string& value) {
  if (switches.empty()) {
    throw UsageError(fmt::format("--set {}={}: the design {} has no switches", name, value, design));
  }
  std::string names;
  for (const SwitchText& each : switches) {
    names += (names.empty() ? "" : ", ") + each.name;
    if (each.name != name) continue;
    std::string values;
    for (const std::string& word : each.values) values += (values.empty() ? "" : ", ") + word;
    throw UsageError(
        fmt::format("--set {}={}: '{}' is not a value of {}; its values are {}", name, value, value, name, values));
  }
  throw UsageError(
      fmt::format("--set {}={}: the design {} has no switch '{}'; it has {}", name, value, design, name, names));
}

}  // namespace fencecheck
