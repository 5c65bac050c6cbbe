// Two files at paths that are the same for everyone, then the row that says that they are done. All three compare the
// token. A reader who comes while a new owner is half way sees one file of each owner.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct FixedPathsFenced {
  static constexpr std::string_view name = "fixed-paths-fenced";
  static constexpr std::string_view summary = "two files at fixed paths and a row, and each of the three is fenced";

  struct Fenced {
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
  struct FirstFile : Fenced {
    static constexpr std::string_view name = "first file";
  };
  struct SecondFile : Fenced {
    static constexpr std::string_view name = "second file";
  };
  struct Table : Fenced {
    static constexpr std::string_view name = "row";
  };

  /// Who finds the row looks at both files.
  static Seen read(const Fenced::Row& first, const Fenced::Row& second, const Fenced::Row& row) {
    if (!row.highest.exists()) return Seen().part(row.value);
    return Seen().part(first.value).part(second.value).part(row.value);
  }

  using Issuer = CountingIssuer;
  using Stores = stores<FirstFile, SecondFile, Table>;
  static constexpr auto worker = program(acquire, write<0>, write<1>, write<2>, finally(release));
};

}  // namespace fencecheck::designs
