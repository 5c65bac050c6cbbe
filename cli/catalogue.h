// The designs that a command knows.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fencecheck/model/world.h>
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

  const std::vector<CatalogueEntry>& entries() const { return entries_; }

  /// Throws UsageError, with the nearest name, where there is no such design.
  const CatalogueEntry& find(const std::string& name) const;

  /// A property of any design, for `explain`. Throws UsageError where there is none.
  PropertyInfo find_property(const std::string& name) const;

  /// Every property that some design has, in the order in which they are first met.
  std::vector<PropertyInfo> properties() const;

 private:
  std::vector<CatalogueEntry> entries_;
};

}  // namespace fencecheck
