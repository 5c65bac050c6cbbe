#include <fencecheck/designs/cleanup-below-published/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> cleanup_below_published() { return make_design<CleanupBelowPublished>(); }
}  // namespace fencecheck::designs
