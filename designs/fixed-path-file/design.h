// Two stores, one of them fenced: a file at a path that is the same for everyone, then the row that says it is done.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct FixedPathFile {
  static constexpr std::string_view name = "fixed-path-file";
  static constexpr std::string_view summary = "a fenced row, and a file at a fixed path that compares nothing";

  struct File {
    static constexpr std::string_view name = "file";
    struct Row {
      static constexpr std::string_view field_names[] = {"value"};
      Value value;
    };

    static constexpr auto write = step("write the file", [](Row& file, const Request& r) {
      file = {r.value};
      return Reply::accepted;
    });
  };

  struct Table {
    static constexpr std::string_view name = "row";
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

  /// Who finds the row looks at the file.
  static Seen read(const File::Row& file, const Table::Row& row) {
    if (!row.highest.exists()) return Seen().part(row.value);
    return Seen().part(file.value).part(row.value);
  }

  using Issuer = CountingIssuer;
  using Stores = stores<File, Table>;
  static constexpr auto worker = program(acquire, write<0>, write<1>, finally(release));
};

}  // namespace fencecheck::designs
