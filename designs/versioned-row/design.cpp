#include <fencecheck/designs/versioned-row/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> versioned_row() { return make_design<VersionedRow>(); }
}  // namespace fencecheck::designs
