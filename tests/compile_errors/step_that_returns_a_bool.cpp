// expect: fencecheck: a step returns a Reply
#include "good.h"

namespace fencecheck::tests {

struct Table {
  using Row = GoodTable::Row;
  static constexpr auto write = step("write", [](Row& row, const Request& r) {
    row.value = r.value;
    return true;
  });
};
struct Mistaken : Good {
  using Stores = stores<Table>;
};
std::unique_ptr<Design> design = make_design<Mistaken>();

}  // namespace fencecheck::tests
