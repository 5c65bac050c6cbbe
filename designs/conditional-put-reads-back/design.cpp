#include <fencecheck/designs/conditional-put-reads-back/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> conditional_put_reads_back() { return make_design<ConditionalPutReadsBack>(); }
}  // namespace fencecheck::designs
