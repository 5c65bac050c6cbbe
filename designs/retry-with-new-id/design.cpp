#include <fencecheck/designs/retry-with-new-id/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> retry_with_new_id() { return make_design<RetryWithNewId>(); }
}  // namespace fencecheck::designs
