#include <fencecheck/designs/conditional-put-retried/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> conditional_put_retried() { return make_design<ConditionalPutRetried>(); }
}  // namespace fencecheck::designs
