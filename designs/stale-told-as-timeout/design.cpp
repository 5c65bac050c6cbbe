#include <fencecheck/designs/stale-told-as-timeout/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> stale_told_as_timeout() { return make_design<StaleToldAsTimeout>(); }
}  // namespace fencecheck::designs
