#include <fencecheck/designs/commit-if-unchanged/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> commit_if_unchanged() { return make_design<CommitIfUnchanged>(); }
}  // namespace fencecheck::designs
