#include <fencecheck/designs/precondition-rolls-back/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> precondition_rolls_back() { return make_design<PreconditionRollsBack>(); }
}  // namespace fencecheck::designs
