#include <fencecheck/designs/mixed-comparison/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> mixed_comparison() { return make_design<MixedComparison>(); }
}  // namespace fencecheck::designs
