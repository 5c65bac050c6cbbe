// What properties see of a design file's world: a shape with room for all that a file can declare. Which of it a file
// uses, and so which properties apply, is known only when it has been read.
#pragma once

#include <array>
#include <cstdint>

#include <fencecheck/model/issuer.h>
#include <fencecheck/model/judging.h>
#include <fencecheck/model/state.h>
#include <fencecheck/properties/standard.h>

namespace fencecheck::engines {

constexpr int max_stores = 3;
constexpr int max_kept = 6;
constexpr int max_reader_parts = 4;

struct FileShape {
  static constexpr std::string_view name = "file";

  /// What a worker keeps of answers: numbers of interned values, 0 for nothing.
  struct Memory {
    std::array<Count<255>, max_kept> kept;
  };

  using Issuer = CountingIssuer;

  struct Store {
    struct Row {
      Value value;
      Effect effect;
    };
    static constexpr auto write = step("write", [](Row& row, const Request& r) {
      row.value = r.value;
      return Reply::accepted;
    });
  };

  /// Not a store of the file: what a reader puts together.
  struct Reader {
    struct Row {
      std::array<Value, max_reader_parts> parts;
      Count<max_reader_parts> count;
    };
  };

  using Stores = stores<Store, Store, Store, Reader>;
  using OwnProperties =
      properties<HonestAnswers, OneHolderAtATime, NoHalfChange, ReaderNeverGoesBack, NewerRequestFencesOlder>;

  static Seen read(const Store::Row&, const Store::Row&, const Store::Row&, const Reader::Row& reader) {
    Seen seen;
    for (int i = 0; i < reader.count.number(); ++i) seen = seen.part(reader.parts[static_cast<std::size_t>(i)]);
    return seen;
  }

  /// What a program can do, for properties that ask.
  static constexpr auto worker = program(acquire, as_basis(write<0>), finally(release));
};

using FileProperties = PropertiesOf<FileShape>;
using FileJudge = detail::Judge<FileShape, FileProperties>;

/// The number of a situation, as a state keeps it: states are made of bytes.
using SituationBytes = std::array<std::uint8_t, 4>;

/// A state: what the model of the library has, and where the real engines stand; both by Side.
struct FileState {
  State<FileShape, FileProperties> model;
  std::array<SituationBytes, 2> situation;
  std::array<SituationBytes, 2> backup;          ///< contents
  std::array<std::uint8_t, max_leases> granted;  ///< the token of each lease, where the file needs them
};

/// Store number `store` of a state.
inline FileShape::Store::Row& row_of(State<FileShape, FileProperties>& model, int store) {
  return store == 0 ? detail::get<0>(model.rows) : store == 1 ? detail::get<1>(model.rows) : detail::get<2>(model.rows);
}

}  // namespace fencecheck::engines
