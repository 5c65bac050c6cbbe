#include <fencecheck/designs/renewal-asked/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> renewal_asked() { return make_design<RenewalAsked>(); }
}  // namespace fencecheck::designs
