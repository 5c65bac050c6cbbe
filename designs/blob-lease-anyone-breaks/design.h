// An object whose lease is its own: a write carries the lease's id, and is refused unless that lease holds now. Anybody
// may break a lease without knowing its id.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct BlobLeaseAnyoneBreaks {
  static constexpr std::string_view name = "blob-lease-anyone-breaks";
  static constexpr std::string_view summary =
      "a write carries the id of the object's own lease, which anybody may break";

  struct Blob {
    static constexpr std::string_view name = "blob";
    struct Row {
      static constexpr std::string_view field_names[] = {"content"};
      Value content;
    };
  };
  using Stores = stores<Blob>;

  struct Issuer : CountingIssuer {
    static constexpr std::string_view name = "lease of the blob";
    static constexpr bool hands_out_tokens = false;
  };

  static constexpr auto put = together(
      "compare the lease id and write",
      [](const Issuer::Record& lease, Blob::Row& blob, const Request& r, Guards& check) {
        if (!check("the lease that holds is the caller's", lease.holder == r.handle)) return Reply::refused;
        blob.content = r.value;
        return Reply::accepted;
      },
      issuer, store<0>);
  static constexpr auto break_lease = step("break the lease", [](Issuer::Record& lease) {
    lease.holder = Unique{};
    return Reply::next;
  });

  static constexpr auto worker = program(acquire, put, finally(release));
  static constexpr auto others = programs(named("operator", program(at(issuer, break_lease))));
};

}  // namespace fencecheck::designs
