// expect: fencecheck: a restore is nobody's visit
#include "good.h"

namespace fencecheck::tests {

struct Mistaken : Good {
  struct Memory {
    Flag seen;
  };
  static constexpr auto restore_issuer =
      at(issuer, step("restore", [](Issuer::Record& record, Memory& memory, const Issuer::Backup& saved) {
           memory.seen = true;
           record.counter = saved.counter;
           return Reply::accepted;
         }));
};
std::unique_ptr<Design> design = make_design<Mistaken>();

}  // namespace fencecheck::tests
