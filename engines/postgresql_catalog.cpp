#include <fencecheck/engines/postgresql_catalog.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include <fencecheck/engines/postgresql_connection.h>

namespace fencecheck::engines::postgresql {
namespace {

// FNV-1a: the same in every run, so that an image means the same in every run.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// The number before `end` in `text`, from `at` on; `at` is moved behind `end`.
std::uint64_t number_before(const std::string& text, char end, std::size_t& at, int base) {
  const std::size_t stop = text.find(end, at);
  std::uint64_t number = 0;
  const bool there = stop != std::string::npos &&
                     std::from_chars(text.data() + at, text.data() + stop, number, base).ptr == text.data() + stop;
  if (!there) throw EngineFailure("this content was not read from PostgreSQL");
  at = stop + 1;
  return number;
}

}  // namespace

Image Image::of(const Content& content) {
  Image image;
  std::size_t at = 0;
  image.fingerprint = number_before(content.image, ' ', at, 16);
  image.table_bytes = number_before(content.image, ' ', at, 10);
  image.row_bytes = number_before(content.image, '\n', at, 10);
  image.script = content.image.substr(at);
  return image;
}

std::string Catalog::query(const std::string& schema) {
  return fmt::format(
      R"(SELECT c.relkind, quote_ident(c.relname),
           string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum),
           string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FILTER (WHERE a.attgenerated = ''),
           string_agg(format_type(a.atttypid, a.atttypmod), ', ' ORDER BY a.attnum),
           count(a.attnum),
           (SELECT string_agg(DISTINCT quote_ident(r.relname), chr(10))
              FROM pg_constraint k JOIN pg_class r ON r.oid = k.confrelid
             WHERE k.conrelid = c.oid AND k.contype = 'f' AND r.oid <> c.oid)
         FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE c.relnamespace = {}::regnamespace AND c.relkind IN ('r', 'S')
        GROUP BY c.oid ORDER BY c.relkind DESC, c.relname COLLATE "C")",
      literal(schema));
}

Catalog::Catalog(std::string schema, const Answer& listed) : schema_(std::move(schema)) {
  std::string all;
  for (const std::vector<Cell>& row : listed.table) {
    const auto text = [&](std::size_t column) { return row.at(column).value_or(""); };
    Relation relation{text(0) == "r", text(1), text(2), text(3), text(4), std::stoul(text(5)), lines_of(text(6))};
    all += fmt::format("{} {} ({}) ({}) ({})\n", relation.is_table ? "table" : "sequence", relation.name,
                       relation.columns, relation.types, relation.writable);
    relations_.push_back(std::move(relation));
  }
  fingerprint_ = hash_of(all);
  sort_by_needs();
}

// Tables that need each other in a circle come last, in the order of their names.
void Catalog::sort_by_needs() {
  std::vector<std::string> placed;
  const auto is_ready = [&](const Relation& table) {
    return std::all_of(table.needs.begin(), table.needs.end(), [&](const std::string& needed) {
      return std::find(placed.begin(), placed.end(), needed) != placed.end();
    });
  };
  for (const bool at_last : {false, true}) {
    for (bool found = true; found;) {
      found = false;
      for (std::size_t i = 0; i < relations_.size(); ++i) {
        const Relation& table = relations_[i];
        const bool done = std::find(placed.begin(), placed.end(), table.name) != placed.end();
        if (!table.is_table || done || (!at_last && !is_ready(table))) continue;
        placed.push_back(table.name);
        order_.push_back(i);
        found = true;
      }
    }
  }
}

std::string Catalog::content_query() const {
  std::string parts;
  for (std::size_t i = 0; i < relations_.size(); ++i) {
    const std::string from = qualified(relations_[i]);
    if (!parts.empty()) parts += " UNION ALL ";
    parts += relations_[i].is_table
                 ? fmt::format("SELECT {}, fencecheck_row::text FROM ONLY {} fencecheck_row", i, from)
                 : fmt::format("SELECT {}, last_value || CASE WHEN is_called THEN ', true' ELSE ', false' END FROM {}",
                               i, from);
  }
  if (parts.empty()) return parts;
  return fmt::format(R"(SELECT at, line FROM ({}) AS content(at, line) ORDER BY at, line COLLATE "C")", parts);
}

Content Catalog::content(const Answer& read) const {
  std::vector<Rows> rows(relations_.size());
  for (const std::vector<Cell>& row : read.table) rows.at(std::stoul(*row.at(0))).push_back(&*row.at(1));
  Content content;
  std::string script;
  for (const std::size_t i : order_) script += filling(relations_[i], rows[i]);
  for (std::size_t i = 0; i < relations_.size(); ++i) {
    const Relation& relation = relations_[i];
    if (relation.is_table) {
      content.text += fmt::format("{} ({})\n", relation.name, relation.columns);
      for (const std::string* each : rows[i]) content.text += *each + "\n";
    } else {
      const std::string& value = *rows[i].at(0);
      content.text += fmt::format("sequence {} (last_value, is_called)\n({})\n", relation.name, value);
      script += fmt::format("SELECT setval({}, {});\n", literal(qualified(relation)), value);
    }
  }
  const auto [table_bytes, row_bytes] = bytes_of(rows);
  content.image = fmt::format("{:x} {} {}\n{}", fingerprint_, table_bytes, row_bytes, script);
  return content;
}

/// What the rows of one table take up, and what one row does, at most.
std::pair<std::size_t, std::size_t> Catalog::bytes_of(const std::vector<Rows>& rows) const {
  std::size_t largest_table = 0;
  std::size_t largest_row = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::size_t bytes = 0;
    for (const std::string* each : rows[i]) {
      // The server's own notes on a row; and a number of one digit may take up eight bytes.
      const std::size_t row = 32 + each->size() + 8 * relations_[i].column_count;
      bytes += row;
      largest_row = std::max(largest_row, row);
    }
    largest_table = std::max(largest_table, bytes);
  }
  return {largest_table, largest_row};
}

std::string Catalog::filling(const Relation& table, const Rows& rows) const {
  if (rows.empty()) return "";
  std::string list;
  for (const std::string* row : rows) list += (list.empty() ? "" : ", ") + literal(*row);
  // Without a column there is no list of columns either.
  const std::string into = table.writable.empty() ? "" : fmt::format(" ({})", table.writable);
  return fmt::format("INSERT INTO {0}{1} OVERRIDING SYSTEM VALUE SELECT {2} FROM unnest(ARRAY[{3}]::{0}[]);\n",
                     qualified(table), into, table.writable, list);
}

std::string Catalog::emptying() const {
  std::string script;
  for (const std::size_t i : order_) script.insert(0, fmt::format("DELETE FROM ONLY {};\n", qualified(relations_[i])));
  return script;
}

std::string Catalog::cleaning() const {
  std::string tables;
  for (const std::size_t i : order_) tables += (tables.empty() ? "" : ", ") + qualified(relations_[i]);
  return tables.empty() ? "" : fmt::format("VACUUM (INDEX_CLEANUP ON) {};\n", tables);
}

std::string Catalog::dropping(const Catalog& wanted) const {
  std::string script;
  for (const Relation& each : relations_) {
    const bool stays = std::any_of(wanted.relations_.begin(), wanted.relations_.end(), [&](const Relation& other) {
      return other.is_table == each.is_table && other.name == each.name;
    });
    if (stays) continue;
    script += fmt::format("DROP {} IF EXISTS {} CASCADE;\n", each.is_table ? "TABLE" : "SEQUENCE", qualified(each));
  }
  return script;
}

}  // namespace fencecheck::engines::postgresql
