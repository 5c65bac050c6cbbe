#include <fencecheck/cli/catalogue.h>

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include <fencecheck/report/names.h>

namespace fencecheck {

void Catalogue::add(std::unique_ptr<Design> design, std::optional<Expectation> expectation) {
  entries_.push_back({std::move(design), std::move(expectation), {}});
}

const CatalogueEntry& Catalogue::find(const std::string& name, const std::string& engine_url) const {
  if (open_file_ && name.ends_with(".toml")) {
    const auto known = files_.find(name);
    return known != files_.end() ? known->second : files_.emplace(name, open_file_(name, engine_url)).first->second;
  }
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : entries_) {
    if (entry.design->text().name == name) return entry;
    names.push_back(entry.design->text().name);
  }
  if (open_file_ && std::filesystem::exists(name + ".toml")) {
    throw UsageError(fmt::format("unknown design '{0}'; {0}.toml is a design file: name it so", name));
  }
  throw UsageError(unknown_name("design", name, names));
}

std::vector<PropertyInfo> Catalogue::properties() const {
  std::vector<PropertyInfo> result;
  for (const CatalogueEntry& entry : entries_) {
    for (const PropertyText& each : entry.design->text().properties) {
      const bool known = std::any_of(result.begin(), result.end(),
                                     [&](const PropertyInfo& info) { return info.name == each.info.name; });
      if (!known) result.push_back(each.info);
    }
  }
  return result;
}

PropertyInfo Catalogue::find_property(const std::string& name) const {
  std::vector<std::string> names;
  for (const PropertyInfo& info : properties()) {
    if (info.name == name) return info;
    names.emplace_back(info.name);
  }
  throw UsageError(unknown_name("property", name, names));
}

}  // namespace fencecheck
