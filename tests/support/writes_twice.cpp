#include "writes_twice.h"

#include <fencecheck/fencecheck.h>
#include <fencecheck/properties/design_of.h>

namespace fencecheck::tests {
namespace {

struct WritesTwice {
  static constexpr std::string_view name = "writes-twice";
  struct Store {
    struct Row {
      Value value;
    };
    static constexpr auto write = step("write", [](Row& row, const Request& r) {
      row.value = r.value;
      return Reply::accepted;
    });
  };
  static constexpr auto again = step("write again", [](Store::Row& row, const Request& r) {
    row.value = r.value;
    return Reply::accepted;
  });
  using Issuer = CountingIssuer;
  using Stores = stores<Store>;
  static constexpr auto worker = program(acquire, write<0>, at(store<0>, again), finally(release));
};

}  // namespace

std::unique_ptr<World> writes_twice_world() { return make_design<WritesTwice>()->world({}, {}); }

}  // namespace fencecheck::tests
