#include <fencecheck/designs/append-fails-epoch/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> append_fails_epoch() { return make_design<AppendFailsEpoch>(); }
}  // namespace fencecheck::designs
