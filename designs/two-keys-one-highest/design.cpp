#include <fencecheck/designs/two-keys-one-highest/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> two_keys_one_highest() { return make_design<TwoKeysOneHighest>(); }
}  // namespace fencecheck::designs
