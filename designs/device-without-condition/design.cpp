#include <fencecheck/designs/device-without-condition/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> device_without_condition() { return make_design<DeviceWithoutCondition>(); }
}  // namespace fencecheck::designs
