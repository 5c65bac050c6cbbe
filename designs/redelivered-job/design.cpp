#include <fencecheck/designs/redelivered-job/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> redelivered_job() { return make_design<RedeliveredJob>(); }
}  // namespace fencecheck::designs
