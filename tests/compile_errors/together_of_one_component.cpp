// expect: fencecheck: together(…) names the components that one step visits; for a single one use at(component, step)
#include "good.h"

namespace fencecheck::tests {

constexpr auto alone = together(
    "alone", [](GoodTable::Row&) { return Reply::accepted; }, store<0>);

}  // namespace fencecheck::tests
