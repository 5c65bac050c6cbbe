#include <fencecheck/designs/core/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> core() { return make_design<Core>(); }
}  // namespace fencecheck::designs
