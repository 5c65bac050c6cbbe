#include <fencecheck/designs/log-file-if-absent/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> log_file_if_absent() { return make_design<LogFileIfAbsent>(); }
}  // namespace fencecheck::designs
