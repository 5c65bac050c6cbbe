#include <fencecheck/designs/append-fails-epoch-kept/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> append_fails_epoch_kept() { return make_design<AppendFailsEpochKept>(); }
}  // namespace fencecheck::designs
