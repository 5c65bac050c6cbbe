#include <fencecheck/designs/heartbeat-conflict/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> heartbeat_conflict() { return make_design<HeartbeatConflict>(); }
}  // namespace fencecheck::designs
