// tests/golden/core.tsv, read: one setup of the smallest fencing world per row, and what five checkers agree on.
#pragma once

#include <string>
#include <vector>

#include "reference.h"

namespace fencecheck::reference {

struct GoldenRow {
  std::string name;  // its parameters, as in W2_S1_L3_IR1_SR1_none_accept_name_no
  Setup setup;
  Result result;  // without situations: they are not in the file
};

// Throws std::runtime_error where the file is not there, or has other columns than expected.
std::vector<GoldenRow> read_golden(const std::string& path);

// The switches of a setup by the names of core-model.md: "none", "lease", "separate", "atomic" and so on.
std::string to_string(Check check);
std::string to_string(Equal equal);
std::string to_string(Release release);
std::string to_string(Register reg);
std::string to_string(const Setup& setup);

// The columns in which two results differ, as in "states is 49 instead of 50, depth is 6 instead of 7"; empty: none.
// Situations are not compared.
std::string differences(const Result& found, const Result& wanted);

}  // namespace fencecheck::reference
