#include <fencecheck/designs/id-recorded-later/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> id_recorded_later() { return make_design<IdRecordedLater>(); }
}  // namespace fencecheck::designs
