#include <fencecheck/designs/trigger-state-only/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> trigger_state_only() { return make_design<TriggerStateOnly>(); }
}  // namespace fencecheck::designs
