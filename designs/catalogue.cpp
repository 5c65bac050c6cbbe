#include <fencecheck/designs/catalogue.h>

#include <algorithm>

#include "entries.h"

namespace fencecheck::designs {

std::vector<Entry> catalogue() {
  std::vector<Entry> result = entries();
  std::sort(result.begin(), result.end(),
            [](const Entry& a, const Entry& b) { return a.design->text().name < b.design->text().name; });
  return result;
}

std::string scenarios_json() { return scenarios_text; }

}  // namespace fencecheck::designs
