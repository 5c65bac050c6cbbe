#include <fencecheck/model/world.h>

#include <fmt/core.h>

#include <fencecheck/model/switches.h>

namespace fencecheck {

void require_within_range(const Bounds& bounds) {
  const auto require = [](const char* name, int value, int least, int most) {
    if (value < least || value > most) {
      throw UsageError(fmt::format("--{} is {}; it must be {} to {}", name, value, least, most));
    }
  };
  require("workers", bounds.workers, 1, max_workers);
  require("leases", bounds.leases, 1, max_leases);
  require("issuer-restores", bounds.issuer_restores, 0, max_restores);
  require("store-restores", bounds.store_restores, 0, max_restores);
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
