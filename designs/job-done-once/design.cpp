#include <fencecheck/designs/job-done-once/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> job_done_once() { return make_design<JobDoneOnce>(); }
}  // namespace fencecheck::designs
