#include <fencecheck/designs/redlock/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> redlock() { return make_design<Redlock>(); }
}  // namespace fencecheck::designs
