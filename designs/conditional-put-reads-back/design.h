// An object that is put if its generation is the one that was read. Where the answer is lost, the client library sends
// the same request again; after a conflict it reads the object, which carries the id of the request that made it.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct ConditionalPutReadsBack {
  static constexpr std::string_view name = "conditional-put-reads-back";
  static constexpr std::string_view summary = "after a conflict, a conditional put looks whether the object is its own";

  struct Object {
    static constexpr std::string_view name = "object";
    struct Row {
      static constexpr std::string_view field_names[] = {"generation", "content", "made by request"};
      Version generation;
      Value content;
      RequestId id;
    };
  };
  using Row = Object::Row;
  using Issuer = CountingIssuer;
  using Stores = stores<Object>;
  using OwnProperties = properties<HonestAnswers>;

  struct Memory {
    static constexpr std::string_view field_names[] = {"generation read"};
    Version generation;
  };

  static constexpr auto look = step("read the generation", [](const Row& row, Memory& memory) {
    memory.generation = row.generation;
    return Reply::next;
  });
  static constexpr auto put =
      step("put if unchanged", [](Row& row, const Request& r, const Memory& memory, Guards& check) {
        if (!check("the generation is as it was read", row.generation == memory.generation)) return Reply::next;
        row = {row.generation.next(), r.value, r.id};
        return Reply::accepted;
      });
  static constexpr auto read_back = step("read it back", [](const Row& row, const Request& r, Guards& check) {
    return check("the object is the request's own", row.id == r.id) ? Reply::accepted : Reply::refused;
  });

  static constexpr auto worker =
      program(acquire, as_basis(at(store<0>, look)), retry(at(store<0>, steps(put, read_back))), finally(release));
};

}  // namespace fencecheck::designs
