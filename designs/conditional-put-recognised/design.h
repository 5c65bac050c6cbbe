// A conditional put whose answer is lost is tried again. Where the condition fails, the object is asked whose it is:
// the request's id was stored with it.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct ConditionalPutRecognised {
  static constexpr std::string_view name = "conditional-put-recognised";
  static constexpr std::string_view summary = "a retried conditional put knows its own success by the id in the object";

  struct Memory {
    static constexpr std::string_view field_names[] = {"version read"};
    Version version;
  };

  struct Object {
    struct Row {
      static constexpr std::string_view field_names[] = {"version", "put by", "value"};
      Version version;
      RequestId put_by;
      Value value;
    };

    static constexpr auto read = step("read", [](const Row& row, Memory& memory) {
      memory.version = row.version;
      return Reply::next;
    });
    static constexpr auto write =
        step("write if the version is as read", [](Row& row, const Request& r, const Memory& memory, Guards& check) {
          if (!check("the version is the one that was read", row.version == memory.version)) {
            return check("the object carries the request's own id", row.put_by == r.id) ? Reply::accepted
                                                                                        : Reply::refused;
          }
          row = {row.version.next(), r.id, r.value};
          return Reply::accepted;
        });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Object>;
  using OwnProperties = properties<HonestAnswers>;
  static constexpr auto worker =
      program(acquire, as_basis(at(store<0>, Object::read)), retry(write<0>), finally(release));
};

}  // namespace fencecheck::designs
