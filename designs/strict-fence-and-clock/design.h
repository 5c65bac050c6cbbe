// A lock service with a clock, and one resource that takes a token once: a generation is for comparing owners, so an
// equal one is refused like an older one. A switch takes the comparison away.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct StrictFenceAndClock {
  static constexpr std::string_view name = "strict-fence-and-clock";
  static constexpr std::string_view summary =
      "a lease of six ticks, and a resource that refuses an equal token as well";

  enum class Compare : std::uint8_t { yes, no, last = no };
  struct Switches {
    Compare compare = Compare::yes;
  };
  static constexpr auto switches = std::tuple(
      choice("compare", "whether the resource compares the token at all", &Switches::compare, {"yes", "no"}));

  struct Resource {
    static constexpr std::string_view name = "resource";
    struct Row {
      static constexpr std::string_view field_names[] = {"accepted token", "value"};
      Token accepted;
      Value value;
    };

    static constexpr auto write =
        step("compare and write", [](Row& row, const Request& r, const Switches& s, Guards& check) {
          if (s.compare == Compare::yes && !check("the token is newer than the accepted one", r.token > row.accepted)) {
            return Reply::stale;
          }
          row = {r.token, r.value};
          return Reply::accepted;
        });
  };

  /// CountingIssuer with the ticks that the lease has left; only at their end can it expire.
  struct Issuer : CountingIssuer {
    static constexpr int lease_ticks = 6;

    struct Record {
      static constexpr std::string_view field_names[] = {"counter", "holder", "ticks left"};
      Token counter;
      Unique holder;
      Ticks left;
    };

    static constexpr Unique holder(const Record& record) { return record.holder; }
    static constexpr bool may_expire(const Record& record) { return record.left == Ticks{}; }
    static constexpr void expire(Record& record) { record.holder = Unique{}; }
    static constexpr Backup backup(const Record& record) { return {record.counter}; }

    static constexpr auto restore = step("restored from backup", [](Record& record, const Backup& saved) {
      record = {saved.counter, Unique{}, Ticks{}};
      return Reply::accepted;
    });
    static constexpr auto acquire = step("acquire", [](Record& record, Grant& grant) {
      if (record.holder.exists()) return Reply::wait;
      record = {record.counter.next(), grant.handle, Ticks(lease_ticks)};
      grant.token = record.counter;
      return Reply::granted;
    });
    static constexpr auto release = step("release", [](Record& record, const Request& r, Guards& check) {
      if (!check("the lock is the caller's own", record.holder == r.handle)) return Reply::refused;
      record.holder = Unique{};
      record.left = Ticks{};
      return Reply::accepted;
    });
  };

  using Stores = stores<Resource>;
  static constexpr auto worker = program(acquire, write<0>, write<0>, finally(release));
};

}  // namespace fencecheck::designs
