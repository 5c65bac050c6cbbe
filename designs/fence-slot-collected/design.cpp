#include <fencecheck/designs/fence-slot-collected/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> fence_slot_collected() { return make_design<FenceSlotCollected>(); }
}  // namespace fencecheck::designs
