#include <fencecheck/designs/clock-token/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> clock_token() { return make_design<ClockToken>(); }
}  // namespace fencecheck::designs
