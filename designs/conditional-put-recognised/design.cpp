#include <fencecheck/designs/conditional-put-recognised/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> conditional_put_recognised() { return make_design<ConditionalPutRecognised>(); }
}  // namespace fencecheck::designs
