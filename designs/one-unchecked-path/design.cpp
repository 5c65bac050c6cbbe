#include <fencecheck/designs/one-unchecked-path/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> one_unchecked_path() { return make_design<OneUncheckedPath>(); }
}  // namespace fencecheck::designs
