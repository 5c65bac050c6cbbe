// expect: fencecheck: a step takes its parameters by reference
#include "good.h"

namespace fencecheck::tests {

struct Table {
  using Row = GoodTable::Row;
  static constexpr auto write = step("write", [](Row& row, Request r) {
    row.value = r.value;
    return Reply::accepted;
  });
};
struct Mistaken : Good {
  using Stores = stores<Table>;
};
std::unique_ptr<Design> design = make_design<Mistaken>();

}  // namespace fencecheck::tests
