// The device compares nothing, so no worker changes it: workers look at it, and report in a fenced row what they found.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct NoAutomaticAction {
  static constexpr std::string_view name = "no-automatic-action";
  static constexpr std::string_view summary = "workers only look at the device, and report in a fenced row";

  struct Reports {
    static constexpr std::string_view name = "reports";
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

    static constexpr auto look = step("look at the device", [](const Row&) { return Reply::next; });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Reports, Device>;
  using Properties = FencingProperties;
  using OwnProperties = properties<ReaderNeverGoesBack>;
  static Seen read(const Reports::Row& report, const Device::Row&) { return Seen().part(report.value); }

  static constexpr auto worker = program(acquire, at(store<1>, Device::look), write<0>, finally(release));
};

}  // namespace fencecheck::designs
