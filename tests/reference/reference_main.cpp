// Checks every row of tests/golden/core.tsv against the naive reference explorer:  reference_main PATH
//
// Prints one line per row. Exits with 0 when all rows agree in every column, and with 1 otherwise.
#include <chrono>
#include <exception>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference.h"

namespace {

using namespace fencecheck::reference;
using Columns = std::vector<std::string>;

Columns split(const std::string& line) {
  Columns columns;
  std::istringstream in(line);
  for (std::string column; std::getline(in, column, '\t');) columns.push_back(column);
  return columns;
}

const Columns expected_header = split(
    "workers\tstores\tleases\tissuer_restores\tstore_restores\tcheck\tequal\trelease\tregister\t"
    "states\ttransitions\tdepth\tno_stale_write\tno_foreign_release\tsuccessor_fences_at_issue\t"
    "newest_never_rejected\ttokens_increase\tstates_up_to_symmetry");
constexpr std::size_t setup_columns = 9;  // the rest are results

// The position of `text` among `names`, which are in the order of the enumeration.
template <class Enum>
Enum parse(const std::string& text, const Columns& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (text == names[i]) return static_cast<Enum>(i);
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
  setup.check = parse<Check>(row.at(5), {"none", "lease", "separate", "atomic"});
  setup.equal = parse<Equal>(row.at(6), {"accept", "reject"});
  setup.release = parse<Release>(row.at(7), {"name", "compare"});
  setup.reg = parse<Register>(row.at(8), {"no", "yes"});
  return setup;
}

std::string text(std::optional<int> length, const char* otherwise) {
  return length ? std::to_string(*length) : otherwise;
}

Columns result_columns(const Result& result) {
  Columns columns = {std::to_string(result.states), std::to_string(result.transitions), std::to_string(result.depth)};
  for (const auto& length : result.lengths) columns.push_back(text(length, "holds"));
  columns.push_back(std::to_string(result.states_up_to_symmetry));
  return columns;
}

bool check_row(const Columns& row) {
  if (row.size() != expected_header.size()) throw std::runtime_error("a row has too few or too many columns");
  const auto start = std::chrono::steady_clock::now();
  const Result result = explore(parse_setup(row));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

  std::string differences;
  const Columns found = result_columns(result);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string& wanted = row[setup_columns + i];
    if (found[i] == wanted) continue;
    differences += ", " + expected_header[setup_columns + i] + " is " + found[i] + " instead of " + wanted;
  }
  std::cout << (differences.empty() ? "ok       " : "DIFFERS  ");
  for (std::size_t i = 0; i < setup_columns; ++i) std::cout << row[i] << ' ';
  std::cout << ": " << result.states << " states, situations";
  for (const auto& length : result.situations) std::cout << ' ' << text(length, "-");
  std::cout << ", " << std::fixed << std::setprecision(2) << seconds.count() << " s" << differences << std::endl;
  return differences.empty();
}

bool check_file(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) throw std::runtime_error("cannot read it");
  if (split(line) != expected_header) throw std::runtime_error("its first line does not name the expected columns");
  int rows = 0;
  int rows_ok = 0;
  while (std::getline(file, line)) {
    ++rows;
    if (check_row(split(line))) ++rows_ok;
  }
  std::cout << rows_ok << " of " << rows << " rows agree\n";
  return rows > 0 && rows_ok == rows;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: reference_main PATH_TO_CORE_TSV\n";
    return 1;
  }
  try {
    return check_file(argv[1]) ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << argv[1] << ": " << error.what() << '\n';
    return 1;
  }
}
