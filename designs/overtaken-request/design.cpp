#include <fencecheck/designs/overtaken-request/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> overtaken_request() { return make_design<OvertakenRequest>(); }
}  // namespace fencecheck::designs
