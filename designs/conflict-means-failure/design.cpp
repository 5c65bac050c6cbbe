#include <fencecheck/designs/conflict-means-failure/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> conflict_means_failure() { return make_design<ConflictMeansFailure>(); }
}  // namespace fencecheck::designs
