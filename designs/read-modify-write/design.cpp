#include <fencecheck/designs/read-modify-write/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> read_modify_write() { return make_design<ReadModifyWrite>(); }
}  // namespace fencecheck::designs
