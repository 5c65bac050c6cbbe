#include <fencecheck/designs/release-given-up/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> release_given_up() { return make_design<ReleaseGivenUp>(); }
}  // namespace fencecheck::designs
