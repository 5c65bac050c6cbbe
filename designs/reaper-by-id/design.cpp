#include <fencecheck/designs/reaper-by-id/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> reaper_by_id() { return make_design<ReaperById>(); }
}  // namespace fencecheck::designs
