#include <fencecheck/designs/highest-per-key/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> highest_per_key() { return make_design<HighestPerKey>(); }
}  // namespace fencecheck::designs
