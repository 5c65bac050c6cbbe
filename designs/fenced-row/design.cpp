#include <fencecheck/designs/fenced-row/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> fenced_row() { return make_design<FencedRow>(); }
}  // namespace fencecheck::designs
