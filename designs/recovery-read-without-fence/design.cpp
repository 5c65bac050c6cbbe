#include <fencecheck/designs/recovery-read-without-fence/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> recovery_read_without_fence() { return make_design<RecoveryReadWithoutFence>(); }
}  // namespace fencecheck::designs
