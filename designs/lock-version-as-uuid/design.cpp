#include <fencecheck/designs/lock-version-as-uuid/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> lock_version_as_uuid() { return make_design<LockVersionAsUuid>(); }
}  // namespace fencecheck::designs
