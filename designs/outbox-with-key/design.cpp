#include <fencecheck/designs/outbox-with-key/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> outbox_with_key() { return make_design<OutboxWithKey>(); }
}  // namespace fencecheck::designs
