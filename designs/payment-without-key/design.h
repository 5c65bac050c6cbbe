// A payment provider that knows no keys, and a client library that tries again when no answer comes.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct PaymentWithoutKey {
  static constexpr std::string_view name = "payment-without-key";
  static constexpr std::string_view summary = "a payment is tried again, and nothing says that it is the same one";

  struct Payments {
    static constexpr std::string_view name = "payment provider";
    struct Row {
      static constexpr std::string_view field_names[] = {"charges"};
      Effect charges;
    };

    static constexpr auto charge = step("charge the card", [](Row& row) {
      row.charges.add();
      return Reply::accepted;
    });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Payments>;
  using OwnProperties = properties<HonestAnswers>;
  static constexpr auto worker = program(acquire, retry(at(store<0>, Payments::charge)), finally(release));
};

}  // namespace fencecheck::designs
