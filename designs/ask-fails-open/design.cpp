#include <fencecheck/designs/ask-fails-open/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> ask_fails_open() { return make_design<AskFailsOpen>(); }
}  // namespace fencecheck::designs
