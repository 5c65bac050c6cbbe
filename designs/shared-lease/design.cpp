#include <fencecheck/designs/shared-lease/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> shared_lease() { return make_design<SharedLease>(); }
}  // namespace fencecheck::designs
