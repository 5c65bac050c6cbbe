#include <fencecheck/designs/payment-without-key/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> payment_without_key() { return make_design<PaymentWithoutKey>(); }
}  // namespace fencecheck::designs
