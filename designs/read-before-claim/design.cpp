#include <fencecheck/designs/read-before-claim/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> read_before_claim() { return make_design<ReadBeforeClaim>(); }
}  // namespace fencecheck::designs
