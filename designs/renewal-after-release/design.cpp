#include <fencecheck/designs/renewal-after-release/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> renewal_after_release() { return make_design<RenewalAfterRelease>(); }
}  // namespace fencecheck::designs
