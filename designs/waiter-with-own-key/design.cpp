#include <fencecheck/designs/waiter-with-own-key/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> waiter_with_own_key() { return make_design<WaiterWithOwnKey>(); }
}  // namespace fencecheck::designs
