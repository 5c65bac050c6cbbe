#include <fencecheck/designs/grace-after-restart/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> grace_after_restart() { return make_design<GraceAfterRestart>(); }
}  // namespace fencecheck::designs
