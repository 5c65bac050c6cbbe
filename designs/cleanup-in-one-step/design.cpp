#include <fencecheck/designs/cleanup-in-one-step/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> cleanup_in_one_step() { return make_design<CleanupInOneStep>(); }
}  // namespace fencecheck::designs
