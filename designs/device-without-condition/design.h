// A resource that offers no condition at all: it does what it is told. The worker asks the lock service first.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct DeviceWithoutCondition {
  static constexpr std::string_view name = "device-without-condition";
  static constexpr std::string_view summary = "a device that compares nothing, and a worker that asks before it acts";

  struct Device {
    static constexpr std::string_view name = "device";
    struct Row {
      static constexpr std::string_view field_names[] = {"setting"};
      Value setting;
    };

    static constexpr auto set = step("set", [](Row& row, const Request& r) {
      row.setting = r.value;
      return Reply::accepted;
    });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Device>;
  using Properties = FencingProperties;
  using OwnProperties = properties<ReaderNeverGoesBack>;
  static Seen read(const Device::Row& device) { return Seen().part(device.setting); }

  static constexpr auto ask =
      step("ask the lock service", [](const Issuer::Record& lock, const Request& r, Guards& check) {
        return check("the caller still holds the lock", lock.holder == r.handle) ? Reply::next : Reply::refused;
      });

  static constexpr auto worker = program(acquire, steps(at(issuer, ask), at(store<0>, Device::set)), finally(release));
};

}  // namespace fencecheck::designs
