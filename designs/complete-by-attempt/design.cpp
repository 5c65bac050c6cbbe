#include <fencecheck/designs/complete-by-attempt/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> complete_by_attempt() { return make_design<CompleteByAttempt>(); }
}  // namespace fencecheck::designs
