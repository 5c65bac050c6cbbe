#include <fencecheck/designs/release-by-token/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> release_by_token() { return make_design<ReleaseByToken>(); }
}  // namespace fencecheck::designs
