#include <fencecheck/designs/refuse-equal-tokens/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> refuse_equal_tokens() { return make_design<RefuseEqualTokens>(); }
}  // namespace fencecheck::designs
