// expect: fencecheck: a step's first parameters are the rows or records of the components that it visits, in that order
#include "good.h"

namespace fencecheck::tests {

struct File {
  struct Row {
    Value content;
  };
};
struct Mistaken : Good {
  using Stores = stores<GoodTable, File>;
  static constexpr auto worker = program(acquire, at(store<1>, GoodTable::write), finally(release));
};
std::unique_ptr<Design> design = make_design<Mistaken>();

}  // namespace fencecheck::tests
