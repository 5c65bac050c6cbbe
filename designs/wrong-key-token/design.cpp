#include <fencecheck/designs/wrong-key-token/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> wrong_key_token() { return make_design<WrongKeyToken>(); }
}  // namespace fencecheck::designs
