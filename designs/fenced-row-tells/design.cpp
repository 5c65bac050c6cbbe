#include <fencecheck/designs/fenced-row-tells/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> fenced_row_tells() { return make_design<FencedRowTells>(); }
}  // namespace fencecheck::designs
