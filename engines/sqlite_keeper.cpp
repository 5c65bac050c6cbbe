#include <fencecheck/engines/sqlite_keeper.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include <fmt/core.h>

#include <fencecheck/engines/sqlite_content.h>

namespace fencecheck::engines::sqlite {
namespace {

// Places in the header of a database file.
constexpr std::size_t write_version = 18;
constexpr std::size_t read_version = 19;
constexpr std::size_t schema_version = 40;
constexpr std::size_t header_size = 100;
constexpr char rollback_journal = 1;

std::atomic<std::uint32_t> last_schema_version = 0;

std::uint32_t schema_version_of(const std::string& image) {
  std::uint32_t version = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    version = version << 8U | static_cast<unsigned char>(image[schema_version + i]);
  }
  return version;
}

struct Free {
  void operator()(unsigned char* bytes) const noexcept { sqlite3_free(bytes); }
};

}  // namespace

Keeper::Keeper(const Place& place)
    : reader_(place), writer_(place), scratch_(Place{":memory:", "in memory", "", false}) {
  schema_was_changed();  // also writes the first page, so that there is an image of a database without tables
}

std::optional<Content> Keeper::content(bool committed) {
  reader_.roll_back();  // what a failure left open
  Cursor(reader_, "BEGIN").next();
  std::optional<Content> found = known_ && !committed ? known_if_readable() : read();
  reader_.roll_back();
  return found;
}

std::optional<Content> Keeper::known_if_readable() {
  Cursor cursor(reader_, "SELECT 1 FROM sqlite_schema LIMIT 1");
  cursor.next();
  return cursor.locked() ? std::nullopt : known_;
}

std::optional<Content> Keeper::read() {
  std::optional<std::string> text = content_text(reader_);
  if (!text) return std::nullopt;
  known_ = Content{std::move(*text), image()};
  return known_;
}

std::string Keeper::image() {
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, Free> bytes(sqlite3_serialize(reader_.handle(), "main", &size, 0));
  if (!bytes) reader_.fail("read its database");
  std::string image(static_cast<std::size_t>(size), '\0');
  std::copy_n(bytes.get(), image.size(), image.begin());
  // A database in memory cannot be in WAL mode, and a copy takes the mode from where it is copied to.
  image[write_version] = rollback_journal;
  image[read_version] = rollback_journal;
  return image;
}

void Keeper::load(const Content& content, bool committed) {
  if (known_ && !committed && known_->image == content.image) return;
  reader_.roll_back();
  known_.reset();
  if (content.image.size() < header_size) throw EngineFailure("SQLite: a content that is no image of a database");
  restore(content.image);
  known_ = content;
}

void Keeper::restore(const std::string& image) {
  std::string next = image;
  const auto size = static_cast<sqlite3_int64>(next.size());
  // SQLite wants bytes that are not const, and does not write them.
  if (sqlite3_deserialize(scratch_.handle(), "main", reinterpret_cast<unsigned char*>(next.data()), size, size,
                          SQLITE_DESERIALIZE_READONLY) != SQLITE_OK) {
    scratch_.fail("read a content");
  }
  held_.swap(next);  // the scratch database has let go of the old bytes
  copy_scratch();
  set_schema_version(schema_version_of(held_));
}

void Keeper::copy_scratch() {
  sqlite3_backup* const copy = sqlite3_backup_init(writer_.handle(), "main", scratch_.handle(), "main");
  if (copy == nullptr) writer_.fail("put a content back");
  sqlite3_backup_step(copy, -1);
  if (sqlite3_backup_finish(copy) != SQLITE_OK) writer_.fail("put a content back");
}

void Keeper::schema_was_changed() { set_schema_version(++last_schema_version); }

void Keeper::set_schema_version(std::uint32_t version) {
  // A signed number to SQLite, which it reads as the same four bytes.
  const std::string pragma = fmt::format("PRAGMA schema_version = {}", static_cast<std::int32_t>(version));
  if (!writer_.execute(pragma)) throw EngineFailure("SQLite: another process uses its database: it has to be alone");
}

}  // namespace fencecheck::engines::sqlite
