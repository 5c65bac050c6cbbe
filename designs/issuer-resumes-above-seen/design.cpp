#include <fencecheck/designs/issuer-resumes-above-seen/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> issuer_resumes_above_seen() { return make_design<IssuerResumesAboveSeen>(); }
}  // namespace fencecheck::designs
