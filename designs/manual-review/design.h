// The device compares nothing, so no worker acts on it: workers propose, in a fenced row, and one person carries out
// what stands there.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct ManualReview {
  static constexpr std::string_view name = "manual-review";
  static constexpr std::string_view summary = "workers make proposals in a fenced row, and a person carries them out";

  struct Memory {
    static constexpr std::string_view field_names[] = {"proposal"};
    Value proposal;
  };

  struct Proposals {
    static constexpr std::string_view name = "proposals";
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "open", "value"};
      Token highest;
      Flag open;
      Value value;
    };

    static constexpr auto write = step("compare and write", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
      row = {r.token, true, r.value};
      return Reply::accepted;
    });
    static constexpr auto take = step("take the proposal", [](Row& row, Memory& memory) {
      if (!row.open) return Reply::wait;
      row.open = false;
      memory.proposal = row.value;
      return Reply::next;
    });
  };
  struct Device {
    static constexpr std::string_view name = "device";
    struct Row {
      static constexpr std::string_view field_names[] = {"setting"};
      Value setting;
    };

    static constexpr auto set = step("set by hand", [](Row& row, const Memory& memory) {
      row.setting = memory.proposal;
      return Reply::next;
    });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Proposals, Device>;
  using Properties = FencingProperties;
  using OwnProperties = properties<ReaderNeverGoesBack>;
  static Seen read(const Proposals::Row&, const Device::Row& device) { return Seen().part(device.setting); }

  static constexpr auto worker = program(acquire, write<0>, finally(release));
  static constexpr auto others =
      programs(named("person", program(at(store<0>, Proposals::take), at(store<1>, Device::set))));
};

}  // namespace fencecheck::designs
