#include <fencecheck/designs/token-as-request-id/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> token_as_request_id() { return make_design<TokenAsRequestId>(); }
}  // namespace fencecheck::designs
