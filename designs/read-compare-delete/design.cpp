#include <fencecheck/designs/read-compare-delete/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> read_compare_delete() { return make_design<ReadCompareDelete>(); }
}  // namespace fencecheck::designs
