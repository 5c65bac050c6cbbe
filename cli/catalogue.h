// The designs that a command knows.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fencecheck/model/world.h>
#include <fencecheck/report/claims.h>
#include <fencecheck/report/expectation.h>

namespace fencecheck {

struct CatalogueEntry {
  std::unique_ptr<Design> design;
  std::optional<Expectation> expectation;

  /// The bounds and switches within which the design is checked unless others are asked for.
  Bounds bounds() const { return expectation ? expectation->bounds : design->standard_bounds(); }
  SwitchValues switches() const { return expectation ? expectation->switches : SwitchValues{}; }
};

class Catalogue {
 public:
  void add(std::unique_ptr<Design> design, std::optional<Expectation> expectation = std::nullopt);

  void add(std::vector<Scenario> scenarios) { scenarios_ = std::move(scenarios); }

  const std::vector<CatalogueEntry>& entries() const { return entries_; }

  /// The situations that this command knows by name; none where it has designs of a user's own.
  const std::vector<Scenario>& scenarios() const { return scenarios_; }

  /// Throws UsageError, with the nearest name, where there is no such design.
  const CatalogueEntry& find(const std::string& name) const;

  /// A property of any design, for `explain`. Throws UsageError where there is none.
  PropertyInfo find_property(const std::string& name) const;

  /// Every property that some design has, in the order in which they are first met.
  std::vector<PropertyInfo> properties() const;

 private:
  std::vector<CatalogueEntry> entries_;
  std::vector<Scenario> scenarios_;
};

}  // namespace fencecheck
