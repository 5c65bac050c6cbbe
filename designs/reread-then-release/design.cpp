#include <fencecheck/designs/reread-then-release/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> reread_then_release() { return make_design<RereadThenRelease>(); }
}  // namespace fencecheck::designs
