#include <fencecheck/designs/owner-instead-of-token/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> owner_instead_of_token() { return make_design<OwnerInsteadOfToken>(); }
}  // namespace fencecheck::designs
