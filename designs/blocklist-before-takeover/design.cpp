#include <fencecheck/designs/blocklist-before-takeover/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> blocklist_before_takeover() { return make_design<BlocklistBeforeTakeover>(); }
}  // namespace fencecheck::designs
