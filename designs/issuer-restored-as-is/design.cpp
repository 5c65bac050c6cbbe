#include <fencecheck/designs/issuer-restored-as-is/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> issuer_restored_as_is() { return make_design<IssuerRestoredAsIs>(); }
}  // namespace fencecheck::designs
