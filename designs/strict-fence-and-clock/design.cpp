#include <fencecheck/designs/strict-fence-and-clock/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> strict_fence_and_clock() { return make_design<StrictFenceAndClock>(); }
}  // namespace fencecheck::designs
