// expect: fencecheck: field_names must name every field, in the order of declaration
#include "good.h"

namespace fencecheck::tests {

struct Table {
  struct Row {
    static constexpr std::string_view field_names[] = {"highest"};
    Token highest;
    Value value;
  };
  static constexpr auto write = step("write", [](Row& row, const Request& r) {
    row = {r.token, r.value};
    return Reply::accepted;
  });
};
struct Mistaken : Good {
  using Stores = stores<Table>;
};
std::unique_ptr<Design> design = make_design<Mistaken>();

}  // namespace fencecheck::tests
