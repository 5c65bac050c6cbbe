#include <fencecheck/designs/trigger-state-and-time/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> trigger_state_and_time() { return make_design<TriggerStateAndTime>(); }
}  // namespace fencecheck::designs
