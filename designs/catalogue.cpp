#include <fencecheck/designs/catalogue.h>

#include "entries.h"

namespace fencecheck::designs {

std::vector<Entry> catalogue() { return entries(); }

}  // namespace fencecheck::designs
