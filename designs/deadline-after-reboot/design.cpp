#include <fencecheck/designs/deadline-after-reboot/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> deadline_after_reboot() { return make_design<DeadlineAfterReboot>(); }
}  // namespace fencecheck::designs
