#include <fencecheck/designs/takeover-without-blocklist/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> takeover_without_blocklist() { return make_design<TakeoverWithoutBlocklist>(); }
}  // namespace fencecheck::designs
