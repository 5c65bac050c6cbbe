#include <fencecheck/designs/lock-without-lease/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> lock_without_lease() { return make_design<LockWithoutLease>(); }
}  // namespace fencecheck::designs
