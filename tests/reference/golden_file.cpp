#include "golden_file.h"

#include <array>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace fencecheck::reference {
namespace {

using Columns = std::vector<std::string>;

Columns split(const std::string& line) {
  Columns columns;
  std::istringstream in(line);
  for (std::string column; std::getline(in, column, '\t');) columns.push_back(column);
  return columns;
}

const Columns& expected_header() {
  static const Columns header = split(
      "workers\tstores\tleases\tissuer_restores\tstore_restores\tcheck\tequal\trelease\tregister\t"
      "states\ttransitions\tdepth\tno_stale_write\tno_foreign_release\tsuccessor_fences_at_issue\t"
      "newest_never_rejected\ttokens_increase\tstates_up_to_symmetry");
  return header;
}
constexpr std::size_t setup_columns = 9;  // the rest are results

// The value among `values` that is called `text`.
template <class Enum, std::size_t N>
Enum parse(const std::string& text, const std::array<Enum, N>& values) {
  for (const Enum value : values) {
    if (text == to_string(value)) return value;
  }
  throw std::runtime_error("unknown name '" + text + "'");
}

Setup parse_setup(const Columns& row) {
  Setup setup;
  setup.workers = std::stoi(row.at(0));
  setup.stores = std::stoi(row.at(1));
  setup.leases = std::stoi(row.at(2));
  setup.issuer_restores = std::stoi(row.at(3));
  setup.store_restores = std::stoi(row.at(4));
  setup.check = parse(row.at(5), std::array{Check::none, Check::lease, Check::separate, Check::atomic});
  setup.equal = parse(row.at(6), std::array{Equal::accept, Equal::reject});
  setup.release = parse(row.at(7), std::array{Release::name, Release::compare});
  setup.reg = parse(row.at(8), std::array{Register::no, Register::yes});
  return setup;
}

std::string text(std::optional<int> length) { return length ? std::to_string(*length) : "holds"; }

std::optional<int> parse_length(const std::string& column) {
  if (column == text(std::nullopt)) return std::nullopt;
  return std::stoi(column);
}

Result parse_result(const Columns& row) {
  Result result;
  result.states = std::stoull(row.at(9));
  result.transitions = std::stoull(row.at(10));
  result.depth = std::stoi(row.at(11));
  for (std::size_t p = 0; p < property_count; ++p) result.lengths.at(p) = parse_length(row.at(12 + p));
  result.states_up_to_symmetry = std::stoull(row.at(17));
  return result;
}

Columns result_columns(const Result& result) {
  Columns columns = {std::to_string(result.states), std::to_string(result.transitions), std::to_string(result.depth)};
  for (const auto& length : result.lengths) columns.push_back(text(length));
  columns.push_back(std::to_string(result.states_up_to_symmetry));
  return columns;
}

}  // namespace

std::string to_string(Check check) {
  constexpr std::array names{"none", "lease", "separate", "atomic"};
  return names.at(static_cast<std::size_t>(check));
}
std::string to_string(Equal equal) { return equal == Equal::accept ? "accept" : "reject"; }
std::string to_string(Release release) { return release == Release::name ? "name" : "compare"; }
std::string to_string(Register reg) { return reg == Register::no ? "no" : "yes"; }

std::string to_string(const Setup& setup) {
  std::string name = "W" + std::to_string(setup.workers) + "_S" + std::to_string(setup.stores);
  name += "_L" + std::to_string(setup.leases) + "_IR" + std::to_string(setup.issuer_restores);
  name += "_SR" + std::to_string(setup.store_restores);
  for (const std::string& word :
       {to_string(setup.check), to_string(setup.equal), to_string(setup.release), to_string(setup.reg)}) {
    name += "_" + word;
  }
  return name + (setup.expiry ? "" : "_noexpiry");
}

std::vector<GoldenRow> read_golden(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) throw std::runtime_error(path + ": cannot read it");
  if (split(line) != expected_header()) throw std::runtime_error(path + ": its first line names other columns");
  std::vector<GoldenRow> rows;
  while (std::getline(file, line)) {
    const Columns columns = split(line);
    if (columns.size() != expected_header().size()) throw std::runtime_error(path + ": too few or too many columns");
    const Setup setup = parse_setup(columns);
    rows.push_back({to_string(setup), setup, parse_result(columns)});
  }
  return rows;
}

std::string differences(const Result& found, const Result& wanted) {
  const Columns found_columns = result_columns(found);
  const Columns wanted_columns = result_columns(wanted);
  std::string result;
  for (std::size_t i = 0; i < found_columns.size(); ++i) {
    if (found_columns[i] == wanted_columns[i]) continue;
    result += (result.empty() ? "" : ", ") + expected_header()[setup_columns + i] + " is " + found_columns[i] +
              " instead of " + wanted_columns[i];
  }
  return result;
}

}  // namespace fencecheck::reference
