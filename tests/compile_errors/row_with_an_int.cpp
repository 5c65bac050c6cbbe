// expect: fencecheck: a row, a record or a worker's memory must be a plain value
// expect: (no int, no pointer, no string, no container)
#include "good.h"

namespace fencecheck::tests {

struct Table {
  struct Row {
    int highest;
    Value value;
  };
  static constexpr auto write = step("write", [](Row& row, const Request& r) {
    row = {r.token.number(), r.value};
    return Reply::accepted;
  });
};
struct Mistaken : Good {
  using Stores = stores<Table>;
};
std::unique_ptr<Design> design = make_design<Mistaken>();

}  // namespace fencecheck::tests
