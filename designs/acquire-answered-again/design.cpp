#include <fencecheck/designs/acquire-answered-again/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> acquire_answered_again() { return make_design<AcquireAnsweredAgain>(); }
}  // namespace fencecheck::designs
