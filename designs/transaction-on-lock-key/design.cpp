#include <fencecheck/designs/transaction-on-lock-key/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> transaction_on_lock_key() { return make_design<TransactionOnLockKey>(); }
}  // namespace fencecheck::designs
