#include <fencecheck/designs/signed-token/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> signed_token() { return make_design<SignedToken>(); }
}  // namespace fencecheck::designs
