#include <fencecheck/designs/retry-with-same-id/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> retry_with_same_id() { return make_design<RetryWithSameId>(); }
}  // namespace fencecheck::designs
