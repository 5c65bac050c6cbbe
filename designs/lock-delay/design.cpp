#include <fencecheck/designs/lock-delay/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> lock_delay() { return make_design<LockDelay>(); }
}  // namespace fencecheck::designs
