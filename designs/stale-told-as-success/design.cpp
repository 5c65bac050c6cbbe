#include <fencecheck/designs/stale-told-as-success/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> stale_told_as_success() { return make_design<StaleToldAsSuccess>(); }
}  // namespace fencecheck::designs
