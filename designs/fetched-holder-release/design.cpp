#include <fencecheck/designs/fetched-holder-release/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> fetched_holder_release() { return make_design<FetchedHolderRelease>(); }
}  // namespace fencecheck::designs
