#include <fencecheck/designs/longer-lease/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> longer_lease() { return make_design<LongerLease>(); }
}  // namespace fencecheck::designs
