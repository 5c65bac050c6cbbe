#include <fencecheck/designs/blob-lease-anyone-breaks/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> blob_lease_anyone_breaks() { return make_design<BlobLeaseAnyoneBreaks>(); }
}  // namespace fencecheck::designs
