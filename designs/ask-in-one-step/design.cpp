#include <fencecheck/designs/ask-in-one-step/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> ask_in_one_step() { return make_design<AskInOneStep>(); }
}  // namespace fencecheck::designs
