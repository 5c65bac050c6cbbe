#include <fencecheck/designs/heartbeat-asks-first/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> heartbeat_asks_first() { return make_design<HeartbeatAsksFirst>(); }
}  // namespace fencecheck::designs
