// expect: fencecheck: a step is a lambda without captures; what it needs to remember belongs in a row
#include "good.h"

namespace fencecheck::tests {

auto limited(int limit) {
  return step("write", [limit](GoodTable::Row&, const Request& r) {
    return r.token.number() < limit ? Reply::accepted : Reply::refused;
  });
}

}  // namespace fencecheck::tests
