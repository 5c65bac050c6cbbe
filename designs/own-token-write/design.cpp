#include <fencecheck/designs/own-token-write/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> own_token_write() { return make_design<OwnTokenWrite>(); }
}  // namespace fencecheck::designs
