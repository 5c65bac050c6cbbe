#include <fencecheck/designs/two-rows-in-one-transaction/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> two_rows_in_one_transaction() { return make_design<TwoRowsInOneTransaction>(); }
}  // namespace fencecheck::designs
