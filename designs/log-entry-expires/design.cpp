#include <fencecheck/designs/log-entry-expires/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> log_entry_expires() { return make_design<LogEntryExpires>(); }
}  // namespace fencecheck::designs
