#include <fencecheck/designs/id-without-fingerprint/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> id_without_fingerprint() { return make_design<IdWithoutFingerprint>(); }
}  // namespace fencecheck::designs
