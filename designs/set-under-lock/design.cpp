#include <fencecheck/designs/set-under-lock/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> set_under_lock() { return make_design<SetUnderLock>(); }
}  // namespace fencecheck::designs
