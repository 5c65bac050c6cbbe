#include <fencecheck/designs/waiter-without-own-key/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> waiter_without_own_key() { return make_design<WaiterWithoutOwnKey>(); }
}  // namespace fencecheck::designs
