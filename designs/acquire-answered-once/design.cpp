#include <fencecheck/designs/acquire-answered-once/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> acquire_answered_once() { return make_design<AcquireAnsweredOnce>(); }
}  // namespace fencecheck::designs
