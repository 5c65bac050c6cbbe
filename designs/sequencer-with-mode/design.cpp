#include <fencecheck/designs/sequencer-with-mode/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> sequencer_with_mode() { return make_design<SequencerWithMode>(); }
}  // namespace fencecheck::designs
