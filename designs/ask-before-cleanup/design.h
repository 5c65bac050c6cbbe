// A metadata file under a name of its own, then a pointer that is swapped if it is still as it was read. Where the
// reply is lost the swap is sent again. Before a file is deleted after a conflict, the worker asks whether it is the
// one published.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct AskBeforeCleanup {
  static constexpr std::string_view name = "ask-before-cleanup";
  static constexpr std::string_view summary =
      "a swap is retried, and after a conflict the pointer is asked before the own file goes";

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

    static constexpr auto write = step("write a metadata file", [](Row& files, const Request& r) {
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
  };

  struct Memory {
    static constexpr std::string_view field_names[] = {"published when read", "conflict", "own file can go"};
    Token read;
    Flag conflict;
    Flag can_go;
  };

  static constexpr auto read_pointer = step("read the pointer", [](const Pointer::Row& row, Memory& memory) {
    memory.read = row.published;
    return Reply::next;
  });
  static constexpr auto swap_pointer =
      step("swap the pointer", [](Pointer::Row& row, const Request& r, Memory& memory, Guards& check) {
        memory.conflict = !check("the pointer is as it was read", row.published == memory.read);
        if (memory.conflict) return Reply::refused;
        row = {r.token, r.value};
        return Reply::accepted;
      });
  static constexpr auto ask =
      step("ask what is published", [](const Pointer::Row& row, const Request& r, Memory& memory, Guards& check) {
        memory.can_go = memory.conflict && check("the own file is not published", row.published != r.token);
        return Reply::next;
      });
  static constexpr auto clean_up =
      step("delete the own file after a conflict", [](Files::Row& files, const Request& r, Memory& memory) {
        if (memory.can_go) files.file[r.token] = {};
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
  static constexpr auto worker =
      program(acquire, at(store<1>, read_pointer), write<0>, retry(at(store<1>, swap_pointer)),
              finally(at(store<1>, ask), at(store<0>, clean_up), release));
};

}  // namespace fencecheck::designs
