#include <fencecheck/designs/own-old-node/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> own_old_node() { return make_design<OwnOldNode>(); }
}  // namespace fencecheck::designs
