#include <fencecheck/designs/delete-by-name/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> delete_by_name() { return make_design<DeleteByName>(); }
}  // namespace fencecheck::designs
