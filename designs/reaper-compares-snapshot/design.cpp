#include <fencecheck/designs/reaper-compares-snapshot/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> reaper_compares_snapshot() { return make_design<ReaperComparesSnapshot>(); }
}  // namespace fencecheck::designs
