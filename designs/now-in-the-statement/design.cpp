#include <fencecheck/designs/now-in-the-statement/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> now_in_the_statement() { return make_design<NowInTheStatement>(); }
}  // namespace fencecheck::designs
