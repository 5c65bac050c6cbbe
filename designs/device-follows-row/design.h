// The device compares nothing, so nobody writes to it: what is desired stands in a fenced row, and an agent beside the
// device carries over what stands there.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct DeviceFollowsRow {
  static constexpr std::string_view name = "device-follows-row";
  static constexpr std::string_view summary =
      "workers write what is desired into a fenced row, and the device follows it";

  struct Desired {
    static constexpr std::string_view name = "desired";
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
  struct Device {
    static constexpr std::string_view name = "device";
    struct Row {
      static constexpr std::string_view field_names[] = {"setting"};
      Value setting;
    };

    static constexpr auto follow = together(
        "carry over to the device what is desired",
        [](const Desired::Row& desired, Row& row) {
          row.setting = desired.value;
          return Reply::next;
        },
        store<0>, store<1>);
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Desired, Device>;
  using Properties = FencingProperties;
  using OwnProperties = properties<ReaderNeverGoesBack>;
  static Seen read(const Desired::Row&, const Device::Row& device) { return Seen().part(device.setting); }

  static constexpr auto worker = program(acquire, write<0>, finally(release));
  static constexpr auto others = programs(named("agent", program(Device::follow)));
};

}  // namespace fencecheck::designs
