#include <fencecheck/designs/precondition-raises-first/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> precondition_raises_first() { return make_design<PreconditionRaisesFirst>(); }
}  // namespace fencecheck::designs
