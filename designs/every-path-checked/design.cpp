#include <fencecheck/designs/every-path-checked/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> every_path_checked() { return make_design<EveryPathChecked>(); }
}  // namespace fencecheck::designs
