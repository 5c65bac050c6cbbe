#include <fencecheck/designs/revision-as-token/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> revision_as_token() { return make_design<RevisionAsToken>(); }
}  // namespace fencecheck::designs
