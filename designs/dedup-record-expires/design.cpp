#include <fencecheck/designs/dedup-record-expires/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> dedup_record_expires() { return make_design<DedupRecordExpires>(); }
}  // namespace fencecheck::designs
