#include <fencecheck/designs/release-by-host-name/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> release_by_host_name() { return make_design<ReleaseByHostName>(); }
}  // namespace fencecheck::designs
