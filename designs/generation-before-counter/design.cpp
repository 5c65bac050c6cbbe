#include <fencecheck/designs/generation-before-counter/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> generation_before_counter() { return make_design<GenerationBeforeCounter>(); }
}  // namespace fencecheck::designs
