#include <fencecheck/designs/renewal-believed/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> renewal_believed() { return make_design<RenewalBelieved>(); }
}  // namespace fencecheck::designs
