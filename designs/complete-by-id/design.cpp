#include <fencecheck/designs/complete-by-id/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> complete_by_id() { return make_design<CompleteById>(); }
}  // namespace fencecheck::designs
