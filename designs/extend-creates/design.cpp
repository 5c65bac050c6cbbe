#include <fencecheck/designs/extend-creates/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> extend_creates() { return make_design<ExtendCreates>(); }
}  // namespace fencecheck::designs
