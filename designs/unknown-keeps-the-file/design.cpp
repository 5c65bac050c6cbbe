#include <fencecheck/designs/unknown-keeps-the-file/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> unknown_keeps_the_file() { return make_design<UnknownKeepsTheFile>(); }
}  // namespace fencecheck::designs
