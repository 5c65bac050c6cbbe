#include <fencecheck/designs/two-rows-in-two-steps/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> two_rows_in_two_steps() { return make_design<TwoRowsInTwoSteps>(); }
}  // namespace fencecheck::designs
