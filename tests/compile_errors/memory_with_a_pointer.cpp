// expect: fencecheck: a row, a record or a worker's memory must be a plain value
#include "good.h"

namespace fencecheck::tests {

struct Mistaken : Good {
  struct Memory {
    GoodTable::Row* row;
  };
};
std::unique_ptr<Design> design = make_design<Mistaken>();

}  // namespace fencecheck::tests
