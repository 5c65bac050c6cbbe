#include <fencecheck/designs/claim-before-read/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> claim_before_read() { return make_design<ClaimBeforeRead>(); }
}  // namespace fencecheck::designs
