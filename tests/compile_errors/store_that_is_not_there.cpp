// expect: fencecheck: the program names a store that the design does not have; stores are numbered from 0
#include "good.h"

namespace fencecheck::tests {

struct Mistaken : Good {
  static constexpr auto worker = program(acquire, write<0>, write<1>, finally(release));
};
std::unique_ptr<Design> design = make_design<Mistaken>();

}  // namespace fencecheck::tests
