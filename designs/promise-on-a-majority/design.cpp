#include <fencecheck/designs/promise-on-a-majority/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> promise_on_a_majority() { return make_design<PromiseOnAMajority>(); }
}  // namespace fencecheck::designs
