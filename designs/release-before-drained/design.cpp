#include <fencecheck/designs/release-before-drained/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> release_before_drained() { return make_design<ReleaseBeforeDrained>(); }
}  // namespace fencecheck::designs
