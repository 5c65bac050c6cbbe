#include <fencecheck/designs/unfenced-row/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> unfenced_row() { return make_design<UnfencedRow>(); }
}  // namespace fencecheck::designs
