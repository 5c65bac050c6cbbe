#include <fencecheck/designs/shared-holder-writes/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> shared_holder_writes() { return make_design<SharedHolderWrites>(); }
}  // namespace fencecheck::designs
