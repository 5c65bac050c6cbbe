#include <fencecheck/designs/holder-in-backup/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> holder_in_backup() { return make_design<HolderInBackup>(); }
}  // namespace fencecheck::designs
