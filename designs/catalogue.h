// Every design of the catalogue, with the text of its expected.json.
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

}  // namespace fencecheck::designs
