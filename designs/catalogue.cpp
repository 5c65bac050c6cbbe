#include <fencecheck/designs/catalogue.h>

#include "entries.h"

namespace fencecheck::designs {

std::vector<Entry> catalogue() { return entries(); }

std::string scenarios_json() { return scenarios_text; }

}  // namespace fencecheck::designs
