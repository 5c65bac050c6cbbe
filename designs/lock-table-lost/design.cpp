#include <fencecheck/designs/lock-table-lost/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> lock_table_lost() { return make_design<LockTableLost>(); }
}  // namespace fencecheck::designs
