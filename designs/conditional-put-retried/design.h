// An object that is put if its generation is the one that was read. Where the answer is lost, the client library sends
// the same request again, finds another generation, its own, and tells its caller of a conflict.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct ConditionalPutRetried {
  static constexpr std::string_view name = "conditional-put-retried";
  static constexpr std::string_view summary = "a conditional put is sent again when its answer is lost";

  struct Object {
    static constexpr std::string_view name = "object";
    struct Row {
      static constexpr std::string_view field_names[] = {"generation", "content"};
      Version generation;
      Value content;
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
        if (!check("the generation is as it was read", row.generation == memory.generation)) return Reply::refused;
        row = {row.generation.next(), r.value};
        return Reply::accepted;
      });

  static constexpr auto worker =
      program(acquire, as_basis(at(store<0>, look)), retry(at(store<0>, put)), finally(release));
};

}  // namespace fencecheck::designs
