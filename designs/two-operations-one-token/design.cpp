#include <fencecheck/designs/two-operations-one-token/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> two_operations_one_token() { return make_design<TwoOperationsOneToken>(); }
}  // namespace fencecheck::designs
