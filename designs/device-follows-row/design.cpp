#include <fencecheck/designs/device-follows-row/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> device_follows_row() { return make_design<DeviceFollowsRow>(); }
}  // namespace fencecheck::designs
