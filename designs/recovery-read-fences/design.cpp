#include <fencecheck/designs/recovery-read-fences/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> recovery_read_fences() { return make_design<RecoveryReadFences>(); }
}  // namespace fencecheck::designs
