#include <fencecheck/designs/ask-then-write/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> ask_then_write() { return make_design<AskThenWrite>(); }
}  // namespace fencecheck::designs
