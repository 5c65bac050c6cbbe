#include <fencecheck/designs/now-before-pause/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> now_before_pause() { return make_design<NowBeforePause>(); }
}  // namespace fencecheck::designs
