#include <fencecheck/designs/id-instead-of-token/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> id_instead_of_token() { return make_design<IdInsteadOfToken>(); }
}  // namespace fencecheck::designs
