// expect: fencecheck: a row, a record or a worker's memory must be a plain value
#include <string>

#include "good.h"

namespace fencecheck::tests {

struct Table {
  struct Row {
    std::string owner;
    Value value;
  };
  static constexpr auto write = step("write", [](Row& row, const Request& r) {
    row.value = r.value;
    return Reply::accepted;
  });
};
struct Mistaken : Good {
  using Stores = stores<Table>;
};
std::unique_ptr<Design> design = make_design<Mistaken>();

}  // namespace fencecheck::tests
