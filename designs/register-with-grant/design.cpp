#include <fencecheck/designs/register-with-grant/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> register_with_grant() { return make_design<RegisterWithGrant>(); }
}  // namespace fencecheck::designs
