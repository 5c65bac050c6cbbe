#include <fencecheck/report/table.h>

#include <fmt/core.h>

#include <algorithm>

#include <fencecheck/report/story.h>

namespace fencecheck {
namespace {

bool is_surprising(const PropertyResult& each, const TableRow& row) {
  return row.expectation != nullptr && !is_expected(each, *row.expectation);
}

/// "no-stale-write in 5": nothing for what holds as expected.
std::string trouble(const PropertyResult& each, const TableRow& row) {
  const std::string mark = is_surprising(each, row) ? " !!" : "";
  const std::string name(each.info.name);
  if (each.verdict == Verdict::violated) return fmt::format("{} in {}{}", name, each.trace->length(), mark);
  if (each.verdict == Verdict::unknown || !mark.empty())
    return fmt::format("{}: {}{}", name, to_string(each.verdict), mark);
  return {};
}

std::string troubles(const TableRow& row) {
  std::string text;
  for (const PropertyResult& each : row.result->properties) {
    const std::string one = trouble(each, row);
    if (!one.empty()) text += (text.empty() ? "" : ", ") + one;
  }
  return text.empty() ? "-" : text;
}

}  // namespace

std::string table(const std::vector<TableRow>& rows, bool color) {
  std::size_t width = 6;
  for (const TableRow& row : rows) width = std::max(width, row.result->design.size());
  const std::string indent(width + 30, ' ');
  std::string out = fmt::format("{:<{}}  {:>7}  {:>6}  {:>7}    breaks, in how many steps\n", "design", width, "states",
                                "hold", "vacuous");
  for (const TableRow& row : rows) {
    const auto& all = row.result->properties;
    const auto holds = [](const PropertyResult& each) { return each.verdict == Verdict::holds; };
    const auto vacuous = [](const PropertyResult& each) { return each.verdict == Verdict::holds && each.vacuous; };
    out += fmt::format("{:<{}}  {:>7}  {:>6}  {:>7}    ", row.result->design, width, row.result->states,
                       std::count_if(all.begin(), all.end(), holds), std::count_if(all.begin(), all.end(), vacuous));
    const std::string text = troubles(row);
    const char* paint = text == "-" ? "32" : "31";
    bool first = true;
    for (const std::string& line : wrapped(text, page_width > indent.size() + 30 ? page_width - indent.size() : 60)) {
      const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
      out += (first ? "" : indent) +
             (color ? fmt::format("\x1b[{}m{}\x1b[0m", paint, line.substr(start)) : line.substr(start)) + "\n";
      first = false;
    }
  }
  return out;
}

}  // namespace fencecheck
