// Two files under paths that carry the owner's token, then the row that points to them. Only the row compares the
// token: what nobody points to, nobody reads.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct PointerToVersions {
  static constexpr std::string_view name = "pointer-to-versions";
  static constexpr std::string_view summary =
      "files at a path per token, and a fenced row that points to the ones that count";

  struct Files {
    struct File {
      Flag there;
      Value content;
    };
    struct Row {
      static constexpr std::string_view field_names[] = {"1 is there",   "content of 1", "2 is there",
                                                         "content of 2", "3 is there",   "content of 3"};
      ByToken<File> file;
    };
    static constexpr bool an_object_each = true;

    static constexpr auto write = step("write the file of the own token", [](Row& files, const Request& r) {
      files.file[r.token] = {true, r.value};
      return Reply::accepted;
    });
  };
  struct FirstFiles : Files {
    static constexpr std::string_view name = "first files";
  };
  struct SecondFiles : Files {
    static constexpr std::string_view name = "second files";
  };

  struct Pointer {
    static constexpr std::string_view name = "pointer";
    struct Row {
      static constexpr std::string_view field_names[] = {"published", "value"};
      Token published;
      Value value;
    };

    static constexpr auto write = step("compare and publish", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the published one", r.token >= row.published)) return Reply::stale;
      row = {r.token, r.value};
      return Reply::accepted;
    });
  };

  static constexpr bool follows_a_pointer = true;
  /// Who finds the row looks at the two files that it names.
  static Seen read(const Files::Row& first, const Files::Row& second, const Pointer::Row& row) {
    const Seen seen = Seen().part(row.value);
    if (!row.published.exists()) return seen;
    const Files::File& a = first.file[row.published];
    const Files::File& b = second.file[row.published];
    return a.there && b.there ? seen.part(a.content).part(b.content) : seen.missing();
  }

  using Issuer = CountingIssuer;
  using Stores = stores<FirstFiles, SecondFiles, Pointer>;
  static constexpr auto worker = program(acquire, write<0>, write<1>, write<2>, finally(release));
};

}  // namespace fencecheck::designs
