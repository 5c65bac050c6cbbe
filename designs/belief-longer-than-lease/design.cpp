#include <fencecheck/designs/belief-longer-than-lease/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> belief_longer_than_lease() { return make_design<BeliefLongerThanLease>(); }
}  // namespace fencecheck::designs
