#include <fencecheck/designs/query-and-compensate/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> query_and_compensate() { return make_design<QueryAndCompensate>(); }
}  // namespace fencecheck::designs
