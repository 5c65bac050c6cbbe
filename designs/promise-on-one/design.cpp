#include <fencecheck/designs/promise-on-one/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> promise_on_one() { return make_design<PromiseOnOne>(); }
}  // namespace fencecheck::designs
