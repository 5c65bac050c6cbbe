// The store knows the name of the owner, such as a host name, and takes what comes from there. Two leases of one host
// have one name.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct OwnerInsteadOfToken {
  static constexpr std::string_view name = "owner-instead-of-token";
  static constexpr std::string_view summary = "the store compares the owner's name, which two of its leases share";

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"owner", "value"};
      Owner owner;
      Value value;
    };

    static constexpr auto write = step("compare and write", [](Row& row, const Request& r, Guards& check) {
      if (!check("the sender has the owner's name", r.owner == row.owner)) return Reply::stale;
      row.value = r.value;
      return Reply::accepted;
    });
  };

  using Issuer = CountingIssuer;
  using Record = Issuer::Record;
  using Stores = stores<Table>;

  static constexpr auto acquire_and_register = together(
      "acquire and register the owner",
      [](Record& lock, Table::Row& row, const Request& r, Grant& grant) {
        const Reply reply = Issuer::acquire.action(lock, grant);
        if (reply == Reply::granted) row.owner = r.owner;
        return reply;
      },
      issuer, store<0>);

  static constexpr auto worker = program(acquire_and_register, write<0>, finally(release));
};

}  // namespace fencecheck::designs
