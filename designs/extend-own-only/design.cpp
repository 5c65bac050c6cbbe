#include <fencecheck/designs/extend-own-only/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> extend_own_only() { return make_design<ExtendOwnOnly>(); }
}  // namespace fencecheck::designs
