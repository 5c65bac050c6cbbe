// An issuer that hands out every other number, as one that leaves a gap after a restart: its tokens outgrow the bits
// that one token for each grant would need.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::tests {

struct IssuerByTwo : CountingIssuer {
  static constexpr auto acquire = step("acquire", [](Record& record, Grant& grant) {
    if (record.holder.exists()) return Reply::wait;
    record.counter = record.counter.next().next();
    record.holder = grant.handle;
    grant.token = record.counter;
    return Reply::granted;
  });
};

}  // namespace fencecheck::tests
