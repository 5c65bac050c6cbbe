#include <fencecheck/designs/commit-under-lock/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> commit_under_lock() { return make_design<CommitUnderLock>(); }
}  // namespace fencecheck::designs
