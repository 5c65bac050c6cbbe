// The designs that a command knows.
#pragma once

#include <functional>
#include <map>
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
  std::vector<ExpectedProperty> promised = {};  ///< what a design file says of its own verdicts

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

  /// How a design file is opened: given its path, and the address of a running server for its store (empty: a private
  /// one). Throws UsageError where it is none.
  using OpenFile = std::function<CatalogueEntry(const std::string& path, const std::string& url)>;
  void open_files_with(OpenFile open) { open_file_ = std::move(open); }
  bool opens_files() const { return open_file_ != nullptr; }

  /// The design of that name, or of the design file `NAME.toml`. Throws UsageError, with the nearest name, where there
  /// is none.
  const CatalogueEntry& find(const std::string& name, const std::string& engine_url = "") const;

  /// A property of any design, for `explain`. Throws UsageError where there is none.
  PropertyInfo find_property(const std::string& name) const;

  /// Every property that some design has, in the order in which they are first met.
  std::vector<PropertyInfo> properties() const;

 private:
  std::vector<CatalogueEntry> entries_;
  std::vector<Scenario> scenarios_;
  OpenFile open_file_;
  mutable std::map<std::string, CatalogueEntry> files_;  // opened so far, by their paths
};

}  // namespace fencecheck
