#include <fencecheck/designs/fixed-paths-fenced/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> fixed_paths_fenced() { return make_design<FixedPathsFenced>(); }
}  // namespace fencecheck::designs
