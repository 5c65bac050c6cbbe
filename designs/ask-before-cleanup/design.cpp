#include <fencecheck/designs/ask-before-cleanup/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> ask_before_cleanup() { return make_design<AskBeforeCleanup>(); }
}  // namespace fencecheck::designs
