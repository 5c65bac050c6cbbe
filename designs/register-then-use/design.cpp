#include <fencecheck/designs/register-then-use/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> register_then_use() { return make_design<RegisterThenUse>(); }
}  // namespace fencecheck::designs
