#include <fencecheck/designs/compare-before-lookup/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> compare_before_lookup() { return make_design<CompareBeforeLookup>(); }
}  // namespace fencecheck::designs
