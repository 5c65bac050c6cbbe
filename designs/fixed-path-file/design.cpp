#include <fencecheck/designs/fixed-path-file/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> fixed_path_file() { return make_design<FixedPathFile>(); }
}  // namespace fencecheck::designs
