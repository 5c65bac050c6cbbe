#include <fencecheck/designs/manual-review/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> manual_review() { return make_design<ManualReview>(); }
}  // namespace fencecheck::designs
