#include <fencecheck/designs/release-guaranteed/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> release_guaranteed() { return make_design<ReleaseGuaranteed>(); }
}  // namespace fencecheck::designs
