// expect: fencecheck: a step's parameter is none of: the row or record it visits, const Request&, Guards&
#include "good.h"

namespace fencecheck::tests {

struct Table {
  using Row = GoodTable::Row;
  static constexpr auto write = step("write", [](Row& row, const Request& r, const Bounds& bounds) {
    if (bounds.workers == 1) row.value = r.value;
    return Reply::accepted;
  });
};
struct Mistaken : Good {
  using Stores = stores<Table>;
};
std::unique_ptr<Design> design = make_design<Mistaken>();

}  // namespace fencecheck::tests
