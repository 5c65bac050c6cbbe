#include <fencecheck/designs/catalogue.h>

#include <string>
#include <utility>
#include <vector>

#include "entries.h"

namespace fencecheck::designs {

Catalogue catalogue() {
  Catalogue result;
  for (auto& [design, expected] : entries()) {
    const std::string where = "designs/" + design->text().name + "/expected.json";
    result.add(std::move(design), parse_expectation(expected, where));
  }
  return result;
}

}  // namespace fencecheck::designs
