#include <fencecheck/designs/belief-with-margin/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> belief_with_margin() { return make_design<BeliefWithMargin>(); }
}  // namespace fencecheck::designs
