// Every design of the catalogue, with what is expected of it.
#pragma once

#include <fencecheck/cli/catalogue.h>

namespace fencecheck::designs {

/// The designs in alphabetical order.
Catalogue catalogue();

}  // namespace fencecheck::designs
