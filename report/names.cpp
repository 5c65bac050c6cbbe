#include <fencecheck/report/names.h>

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>

namespace fencecheck {
namespace {

// Levenshtein distance: insertions, deletions and replacements that turn one into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const std::string& each : known) {
    const std::size_t distance = edit_distance(name, each);
    if (distance >= best_distance) continue;
    best = each;
    best_distance = distance;
  }
  if (!best.empty() || name.size() < 3) return best;
  // A name that was begun, or of which the middle was remembered.
  const auto part_of = std::find_if(known.begin(), known.end(),
                                    [&](const std::string& each) { return each.find(name) != std::string::npos; });
  return part_of == known.end() ? std::string() : *part_of;
}

std::string unknown_name(std::string_view kind, std::string_view name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  if (!nearest.empty()) return fmt::format("unknown {} '{}'; did you mean '{}'?", kind, name, nearest);
  return fmt::format("unknown {} '{}'; there are: {}", kind, name, fmt::join(known, ", "));
}

}  // namespace fencecheck
