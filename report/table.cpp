#include <fencecheck/report/table.h>

#include <fmt/core.h>

#include <algorithm>

namespace fencecheck {
namespace {

std::string cell_text(const PropertyResult& each) {
  switch (each.verdict) {
    case Verdict::holds: return each.vacuous ? "vacuous" : "holds";
    case Verdict::violated: return fmt::format("breaks in {}", each.trace ? each.trace->length() : 0);
    case Verdict::unknown: return "unknown";
    case Verdict::not_applicable: break;
  }
  return "-";
}

const char* color_of(const PropertyResult& each) {
  if (each.verdict == Verdict::violated) return "31";
  return each.verdict == Verdict::holds ? "32" : "2";
}

/// Splits a name at a hyphen so that its longer line is as short as can be.
std::pair<std::string, std::string> in_two_lines(const std::string& name) {
  std::pair<std::string, std::string> best{name, ""};
  std::size_t width = name.size();
  for (std::size_t hyphen = name.find('-'); hyphen != std::string::npos; hyphen = name.find('-', hyphen + 1)) {
    const std::size_t wider = std::max(hyphen + 1, name.size() - hyphen - 1);
    if (wider >= width) continue;
    width = wider;
    best = {name.substr(0, hyphen + 1), name.substr(hyphen + 1)};
  }
  return best;
}

std::vector<std::string> column_names(const std::vector<TableRow>& rows) {
  std::vector<std::string> names;
  for (const TableRow& row : rows) {
    for (const PropertyResult& each : row.result->properties) {
      const std::string name(each.info.name);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

}  // namespace

std::string table(const std::vector<TableRow>& rows, bool color) {
  const std::vector<std::string> names = column_names(rows);
  std::size_t first_width = 6;
  for (const TableRow& row : rows) first_width = std::max(first_width, row.result->design.size());
  std::vector<std::size_t> widths;
  std::string upper = fmt::format("{:<{}}", "", first_width);
  std::string lower = fmt::format("{:<{}}", "design", first_width);
  for (const std::string& name : names) {
    const auto [first, second] = in_two_lines(name);
    widths.push_back(std::max<std::size_t>({first.size(), second.size(), 15}));
    upper += fmt::format("  {:<{}}", first, widths.back());
    lower += fmt::format("  {:<{}}", second, widths.back());
  }
  upper.erase(upper.find_last_not_of(' ') + 1);
  std::string out = upper + "\n" + lower + fmt::format("  {:>9}\n", "states");
  for (const TableRow& row : rows) {
    std::string line = fmt::format("{:<{}}", row.result->design, first_width);
    for (std::size_t c = 0; c < names.size(); ++c) {
      const auto& all = row.result->properties;
      const auto each =
          std::find_if(all.begin(), all.end(), [&](const PropertyResult& p) { return p.info.name == names[c]; });
      const bool there = each != all.end();
      const bool surprising = there && row.expectation != nullptr && !is_expected(*each, *row.expectation);
      const std::string text = (there ? cell_text(*each) : "-") + std::string(surprising ? " !!" : "");
      const std::string padded = fmt::format("{:<{}}", text, widths[c]);
      line += color && there ? fmt::format("  \x1b[{}m{}\x1b[0m", color_of(*each), padded) : "  " + padded;
    }
    out += line + fmt::format("  {:>9}\n", row.result->states);
  }
  return out;
}

}  // namespace fencecheck
