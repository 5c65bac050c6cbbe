// Which tables and sequences there are, and the statements that read all of them and fill them again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fencecheck/engines/engine.h>

namespace fencecheck::engines::postgresql {

/// An image, taken apart.
struct Image {
  std::uint64_t fingerprint = 0;  ///< of the catalog that it was read with
  std::size_t table_bytes = 0;    ///< that the rows of one table take up, at most
  std::size_t row_bytes = 0;      ///< and one row
  std::string script;             ///< fills tables that are empty, and sets the sequences

  static Image of(const Content& content);
};

class Catalog {
 public:
  Catalog() = default;
  /// `listed`: the answer to the query that `query()` gives.
  Catalog(std::string schema, const Answer& listed);

  /// Asks for everything that a catalog is made of.
  static std::string query(const std::string& schema);

  /// Equal where the same tables have the same columns, and the same sequences are there.
  std::uint64_t fingerprint() const { return fingerprint_; }

  bool is_empty() const { return relations_.empty(); }

  /// Asks for all rows and sequences; empty where there are none.
  std::string content_query() const;
  /// `read`: the answer to `content_query()`.
  Content content(const Answer& read) const;

  /// The statements that empty all tables, those that clear away what lay in them, and those that remove what is here
  /// and not in `wanted`. Empty where there is nothing to be done.
  std::string emptying() const;
  std::string cleaning() const;
  std::string dropping(const Catalog& wanted) const;

 private:
  using Rows = std::vector<const std::string*>;  ///< as texts

  struct Relation {
    bool is_table = true;
    std::string name;      ///< in quotes where it needs them, as all names here
    std::string columns;   ///< all of them, for people
    std::string writable;  ///< all but those that are computed from others
    std::string types;
    std::size_t column_count = 0;
    std::vector<std::string> needs;  ///< the tables that foreign keys of this one lead to
  };

  std::string qualified(const Relation& relation) const { return schema_ + "." + relation.name; }
  std::string filling(const Relation& table, const Rows& rows) const;
  std::pair<std::size_t, std::size_t> bytes_of(const std::vector<Rows>& rows) const;
  void sort_by_needs();

  std::string schema_;
  std::vector<Relation> relations_;
  std::vector<std::size_t> order_;  ///< tables, those that others need before those others
  std::uint64_t fingerprint_ = 0;
};

}  // namespace fencecheck::engines::postgresql
