// A file under a path per token, a fenced row that points to it, and a collector: it lists the files, looks what is
// published, and deletes what it had listed and is not published. A worker may publish a file between the two.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct CleanupLooksFirst {
  static constexpr std::string_view name = "cleanup-looks-first";
  static constexpr std::string_view summary = "a collector lists files, looks what is published, deletes the others";

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

  struct Memory {
    static constexpr std::string_view field_names[] = {"1 is listed", "2 is listed", "3 is listed", "published"};
    ByToken<Flag> listed;
    Token published;
  };

  static constexpr auto list = step("list the files", [](const Files::Row& files, Memory& memory) {
    memory.listed.for_each([&](Token token, Flag& listed) { listed = files.file[token].there; });
    return Reply::next;
  });
  static constexpr auto look = step("look what is published", [](const Pointer::Row& row, Memory& memory) {
    memory.published = row.published;
    return Reply::next;
  });
  static constexpr auto remove = step("delete what is not", [](Files::Row& files, const Memory& memory) {
    files.file.for_each([&](Token token, Files::File& file) {
      if (memory.listed[token] && token != memory.published) file = {};
    });
    return Reply::next;
  });

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
  static constexpr auto others =
      programs(named("collector", program(at(store<0>, list), at(store<1>, look), at(store<0>, remove))));
};

}  // namespace fencecheck::designs
