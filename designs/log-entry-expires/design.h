// Version 1 of a table's log is a file at a path known in advance, on a store that overwrites. An entry in a database,
// made only if it is not there, decides who may write the file. Entries of finished commits are cleaned up after a
// while.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct LogEntryExpires {
  static constexpr std::string_view name = "log-entry-expires";
  static constexpr std::string_view summary = "an entry guards the file of a version, and is cleaned up after a while";

  struct Entries {
    static constexpr std::string_view name = "entry of version 1";
    struct Row {
      static constexpr std::string_view field_names[] = {"is there", "complete"};
      Flag there;
      Flag complete;
    };
  };
  struct Log {
    static constexpr std::string_view name = "file of version 1";
    struct Row {
      static constexpr std::string_view field_names[] = {"is there", "content"};
      Flag there;
      Value content;
    };
  };
  using Stores = stores<Entries, Log>;

  /// There is no lock: whoever wants to commit begins, and is told apart by the name of its temporary file.
  struct Issuer : CountingIssuer {
    static constexpr bool hands_out_tokens = false;
    static constexpr bool may_expire(const Record&) { return false; }
    static constexpr auto acquire = step("write a temporary file", [](Record& files, Grant& grant) {
      files.holder = grant.handle;
      return Reply::granted;
    });
  };

  static constexpr auto look = step("look for the version", [](const Log::Row& file, Guards& check) {
    return check("the file is not there", !file.there) ? Reply::next : Reply::refused;
  });
  static constexpr auto put_entry = step("put the entry", [](Entries::Row& entry, Guards& check) {
    if (!check("the entry is not there", !entry.there)) return Reply::refused;
    entry = {true, false};
    return Reply::next;
  });
  static constexpr auto copy = step("copy the file to its place", [](Log::Row& file, const Request& r) {
    file = {true, r.value};
    return Reply::accepted;
  });
  static constexpr auto complete = step("mark the entry as complete", [](Entries::Row& entry) {
    entry.complete = entry.there;
    return Reply::next;
  });

  static constexpr auto expire = step("a complete entry expires", [](Entries::Row& entry) {
    if (!entry.complete) return Reply::wait;
    entry = {};
    return Reply::accepted;
  });
  static constexpr auto faults = declared(cleanup(at(store<0>, expire)));

  static constexpr bool readers_see_all_writes = true;
  static Seen read(const Entries::Row&, const Log::Row& file) { return Seen().part(file.content); }

  static constexpr auto worker =
      program(acquire, at(store<1>, look), at(store<0>, put_entry), at(store<1>, copy), at(store<0>, complete));
};

}  // namespace fencecheck::designs
