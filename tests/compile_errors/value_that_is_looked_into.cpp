// expect: private
#include "good.h"

namespace fencecheck::tests {

struct Table {
  struct Row {
    Token highest;
    Value value;
  };
  static constexpr auto write = step("write", [](Row& row, const Request& r) {
    if (r.value.number() < row.value.number()) return Reply::stale;
    row = {r.token, r.value};
    return Reply::accepted;
  });
};

}  // namespace fencecheck::tests
