// A renewal is a request of its own, beside the work. It sets the lock to its sender, whoever holds it by then: one
// that comes late takes back a lock that was given back, or another's. A switch compares first.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct RenewalAfterRelease {
  static constexpr std::string_view name = "renewal-after-release";
  static constexpr std::string_view summary = "a renewal sets the lock to its sender, also after the release";

  enum class Compare : std::uint8_t { no, yes, last = yes };
  struct Switches {
    Compare compare = Compare::no;
  };
  static constexpr auto switches =
      std::tuple(choice("compare", "whether a renewal compares the holder first", &Switches::compare, {"no", "yes"}));

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value"};
      Token highest;
      Value value;
    };

    static constexpr auto write = step("compare and write", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
      row = {r.token, r.value};
      return Reply::accepted;
    });
  };

  using Issuer = CountingIssuer;
  using Record = Issuer::Record;
  using Stores = stores<Table>;
  using OwnProperties = properties<OneHolderAtATime>;

  static constexpr auto renew = step("renew", [](Record& lock, const Request& r, const Switches& s, Guards& check) {
    if (!r.handle.exists()) return Reply::wait;
    if (s.compare == Compare::yes && !check("the lock is the caller's own", lock.holder == r.handle)) {
      return Reply::refused;
    }
    lock.holder = r.handle;
    return Reply::next;
  });

  static constexpr auto worker = program(acquire, write<0>, finally(release));
  static constexpr auto beside = program(at(issuer, renew));
};

}  // namespace fencecheck::designs
