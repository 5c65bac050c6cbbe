// A file under a path per token, a fenced row that points to it, and a collector that looks what is published and
// deletes all other files in one transaction. A file that will be published in a moment is one of the others.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct CleanupInOneStep {
  static constexpr std::string_view name = "cleanup-in-one-step";
  static constexpr std::string_view summary = "a collector deletes all files but the published one, in one transaction";

  struct Files {
    static constexpr std::string_view name = "files";
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

  static constexpr auto remove = together(
      "look and delete what is not published",
      [](Files::Row& files, const Pointer::Row& row) {
        files.file.for_each([&](Token token, Files::File& file) {
          if (token != row.published) file = {};
        });
        return Reply::next;
      },
      store<0>, store<1>);

  static constexpr bool follows_a_pointer = true;
  static Seen read(const Files::Row& files, const Pointer::Row& row) {
    const Seen seen = Seen().part(row.value);
    if (!row.published.exists()) return seen;
    const Files::File& file = files.file[row.published];
    return file.there ? seen.part(file.content) : seen.missing();
  }

  using Issuer = CountingIssuer;
  using Stores = stores<Files, Pointer>;
  static constexpr auto worker = program(acquire, write<0>, write<1>, finally(release));
  static constexpr auto others = programs(named("collector", program(remove)));
};

}  // namespace fencecheck::designs
