#include <fencecheck/designs/token-kept-by-name/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> token_kept_by_name() { return make_design<TokenKeptByName>(); }
}  // namespace fencecheck::designs
