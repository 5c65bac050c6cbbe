#include <fencecheck/designs/first-version-wins/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> first_version_wins() { return make_design<FirstVersionWins>(); }
}  // namespace fencecheck::designs
