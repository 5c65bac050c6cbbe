#include <fencecheck/designs/cleanup-looks-first/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> cleanup_looks_first() { return make_design<CleanupLooksFirst>(); }
}  // namespace fencecheck::designs
