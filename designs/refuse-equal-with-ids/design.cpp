#include <fencecheck/designs/refuse-equal-with-ids/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> refuse_equal_with_ids() { return make_design<RefuseEqualWithIds>(); }
}  // namespace fencecheck::designs
