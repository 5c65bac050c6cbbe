#include <fencecheck/designs/own-version-read-late/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> own_version_read_late() { return make_design<OwnVersionReadLate>(); }
}  // namespace fencecheck::designs
