#include <fencecheck/designs/store-restored/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> store_restored() { return make_design<StoreRestored>(); }
}  // namespace fencecheck::designs
