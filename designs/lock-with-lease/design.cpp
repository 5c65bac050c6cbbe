#include <fencecheck/designs/lock-with-lease/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> lock_with_lease() { return make_design<LockWithLease>(); }
}  // namespace fencecheck::designs
