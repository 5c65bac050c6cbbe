// expect: fencecheck: a step's parameter is none of: the row or record it visits, const Request&, Guards&
#include "good.h"

namespace fencecheck::tests {

struct Memory {
  Token seen;
};
struct Table {
  using Row = GoodTable::Row;
  static constexpr auto write = step("write", [](Row& row, const Request& r, Memory& memory) {
    memory.seen = row.highest;
    row.value = r.value;
    return Reply::accepted;
  });
};
struct Mistaken : Good {  // `using Memory = …` is missing
  using Stores = stores<Table>;
};
std::unique_ptr<Design> design = make_design<Mistaken>();

}  // namespace fencecheck::tests
