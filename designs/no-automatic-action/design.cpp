#include <fencecheck/designs/no-automatic-action/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> no_automatic_action() { return make_design<NoAutomaticAction>(); }
}  // namespace fencecheck::designs
