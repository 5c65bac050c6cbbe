#include <fencecheck/designs/compare-then-write/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> compare_then_write() { return make_design<CompareThenWrite>(); }
}  // namespace fencecheck::designs
