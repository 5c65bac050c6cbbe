#include <fencecheck/designs/issuer-resumes-above-issued/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> issuer_resumes_above_issued() { return make_design<IssuerResumesAboveIssued>(); }
}  // namespace fencecheck::designs
