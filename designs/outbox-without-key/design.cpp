#include <fencecheck/designs/outbox-without-key/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> outbox_without_key() { return make_design<OutboxWithoutKey>(); }
}  // namespace fencecheck::designs
