// What a statement may do, as far as its text shows it.
#pragma once

#include <string>

namespace fencecheck::engines::postgresql {

/// Too much where the text does not show it, as for `DO` and `CALL`: then more is looked at and put back than needed.
struct Effects {
  bool writes = false;         ///< rows of tables
  bool commits = false;        ///< ends a transaction, perhaps by a COMMIT
  bool defines = false;        ///< tables, sequences, …
  bool outlives = false;       ///< leaves something in the session that a ROLLBACK does not take back
  bool locks_by_name = false;  ///< takes an advisory lock, or makes a function that does

  static Effects of(const std::string& statement);
};

}  // namespace fencecheck::engines::postgresql
