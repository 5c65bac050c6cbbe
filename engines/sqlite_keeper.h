// Reads what is committed, and puts it back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <fencecheck/engines/engine.h>
#include <fencecheck/engines/sqlite_database.h>

namespace fencecheck::engines::sqlite {

/// Has connections of its own, so that it sees nothing of what a session has open.
///
/// Sessions keep the schema and their statements across a load: to parse both again takes ten times as long as the load
/// itself. SQLite tells schemas apart by a number in the database that it counts up, so that after a load another
/// schema could have the number of one that a session remembers. The keeper gives every schema that is committed a
/// number that no other one had in this process, and puts that number back with the content.
class Keeper {
 public:
  /// Throws EngineFailure where the database cannot be opened or written.
  explicit Keeper(const Place& place);

  /// What is committed now; nothing where a lock is in the way. `committed`: whether anything was since this last gave
  /// a content, or `load` put one back.
  std::optional<Content> content(bool committed);

  /// Puts `content` back. No session may have a transaction open.
  void load(const Content& content, bool committed);

  /// To be called when a change of the schema was committed, before anybody reads.
  void schema_was_changed();

 private:
  std::optional<Content> known_if_readable();
  std::optional<Content> read();
  std::string image();
  void restore(const std::string& image);
  void copy_scratch();
  void set_schema_version(std::uint32_t version);

  Database reader_;
  Database writer_;   // apart from the reader, because a copy makes a connection forget the schema
  std::string held_;  // what the scratch database reads from
  Database scratch_;
  std::optional<Content> known_;  // as it was when last asked, or loaded
};

}  // namespace fencecheck::engines::sqlite
