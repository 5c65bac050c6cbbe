#include <fencecheck/designs/own-version-read-first/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> own_version_read_first() { return make_design<OwnVersionReadFirst>(); }
}  // namespace fencecheck::designs
