#include <fencecheck/designs/equal-token-repeated/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> equal_token_repeated() { return make_design<EqualTokenRepeated>(); }
}  // namespace fencecheck::designs
