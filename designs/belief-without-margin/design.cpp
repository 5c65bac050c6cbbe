#include <fencecheck/designs/belief-without-margin/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> belief_without_margin() { return make_design<BeliefWithoutMargin>(); }
}  // namespace fencecheck::designs
