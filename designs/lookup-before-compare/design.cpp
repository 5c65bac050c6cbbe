#include <fencecheck/designs/lookup-before-compare/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> lookup_before_compare() { return make_design<LookupBeforeCompare>(); }
}  // namespace fencecheck::designs
