// Every design of the catalogue, with the text of its expected.json, and the scenarios.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <fencecheck/model/world.h>

namespace fencecheck::designs {

struct Entry {
  std::unique_ptr<Design> design;
  std::string expected_json;
};

/// The designs in alphabetical order.
std::vector<Entry> catalogue();

/// The text of scenarios.json: the situations that fencecheck exists for.
std::string scenarios_json();

}  // namespace fencecheck::designs
