#include <fencecheck/designs/dedup-record-kept/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> dedup_record_kept() { return make_design<DedupRecordKept>(); }
}  // namespace fencecheck::designs
