#include <fencecheck/designs/recorded-without-raising/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> recorded_without_raising() { return make_design<RecordedWithoutRaising>(); }
}  // namespace fencecheck::designs
