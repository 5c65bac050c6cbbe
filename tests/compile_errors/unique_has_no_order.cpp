// expect: fencecheck: a Unique can be compared for equality only. A UUID, a lock key or a lease id has no order
#include "good.h"

namespace fencecheck::tests {

struct Table {
  struct Row {
    Unique highest;
    Value value;
  };
  static constexpr auto write = step("write", [](Row& row, const Request& r) {
    if (r.handle < row.highest) return Reply::stale;
    row = {r.handle, r.value};
    return Reply::accepted;
  });
};
struct Mistaken : Good {
  using Stores = stores<Table>;
};
std::unique_ptr<Design> design = make_design<Mistaken>();

}  // namespace fencecheck::tests
