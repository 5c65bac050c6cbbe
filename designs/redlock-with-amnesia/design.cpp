#include <fencecheck/designs/redlock-with-amnesia/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> redlock_with_amnesia() { return make_design<RedlockWithAmnesia>(); }
}  // namespace fencecheck::designs
