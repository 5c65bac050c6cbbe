#include <fencecheck/designs/pointer-to-versions/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> pointer_to_versions() { return make_design<PointerToVersions>(); }
}  // namespace fencecheck::designs
