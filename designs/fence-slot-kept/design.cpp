#include <fencecheck/designs/fence-slot-kept/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> fence_slot_kept() { return make_design<FenceSlotKept>(); }
}  // namespace fencecheck::designs
