#include <fencecheck/designs/refetch-then-write/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> refetch_then_write() { return make_design<RefetchThenWrite>(); }
}  // namespace fencecheck::designs
