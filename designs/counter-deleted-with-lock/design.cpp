#include <fencecheck/designs/counter-deleted-with-lock/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> counter_deleted_with_lock() { return make_design<CounterDeletedWithLock>(); }
}  // namespace fencecheck::designs
