// Checks every row of tests/golden/core.tsv against the naive reference explorer:  reference_main PATH
//
// Prints one line per row. Exits with 0 when all rows agree in every column, and with 1 otherwise.
#include <chrono>
#include <exception>
#include <iomanip>
#include <iostream>
#include <string>

#include "golden_file.h"

namespace {

using namespace fencecheck::reference;

bool check_row(const GoldenRow& row) {
  const auto start = std::chrono::steady_clock::now();
  const Result result = explore(row.setup);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

  const std::string different = differences(result, row.result);
  std::cout << (different.empty() ? "ok       " : "DIFFERS  ") << row.name << ": " << result.states
            << " states, situations";
  for (const auto& length : result.situations) std::cout << ' ' << (length ? std::to_string(*length) : "-");
  std::cout << ", " << std::fixed << std::setprecision(2) << seconds.count() << " s" << (different.empty() ? "" : ", ")
            << different << std::endl;
  return different.empty();
}

bool check_file(const std::string& path) {
  int rows = 0;
  int rows_ok = 0;
  for (const GoldenRow& row : read_golden(path)) {
    ++rows;
    if (check_row(row)) ++rows_ok;
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
    std::cerr << error.what() << '\n';
    return 1;
  }
}
