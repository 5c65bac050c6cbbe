#include <fencecheck/designs/sequenced-requests/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> sequenced_requests() { return make_design<SequencedRequests>(); }
}  // namespace fencecheck::designs
