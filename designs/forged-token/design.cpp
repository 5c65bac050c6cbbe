#include <fencecheck/designs/forged-token/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> forged_token() { return make_design<ForgedToken>(); }
}  // namespace fencecheck::designs
