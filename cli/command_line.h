// The command line, for the catalogue and for a user's own designs alike.
//
//   int main(int argc, char** argv) { return fencecheck::command_line<MyDesign>(argc, argv); }
#pragma once

#include <memory>
#include <utility>

#include <fencecheck/cli/catalogue.h>
#include <fencecheck/properties/design_of.h>

namespace fencecheck {

/// Exit codes, as the field has them.
namespace exit_codes {
constexpr int all_hold = 0;
constexpr int usage = 1;      ///< a mistake on the command line or in a file, or an expectation that is not met
constexpr int unknown = 2;    ///< a search limit was met first
constexpr int violated = 12;  ///< a safety property is violated
constexpr int liveness_violated = 13;  ///< only properties about where states can lead are
constexpr int store_failed = 69;       ///< a real store died, did not answer, or contradicted itself
constexpr int internal = 70;           ///< a mistake of fencecheck's own
constexpr int store_missing = 77;      ///< a real store is not there: not installed, or nobody answers
}  // namespace exit_codes

/// Runs the command with the designs of `catalogue`. Prints to standard output and standard error; gives the exit code.
int run_command_line(int argc, const char* const* argv, const Catalogue& catalogue);

/// Runs the command with designs of one's own.
template <class... Designs>
int command_line(int argc, const char* const* argv) {
  static_assert(sizeof...(Designs) > 0, "fencecheck: command_line<MyDesign>(argc, argv) names at least one design");
  Catalogue catalogue;
  (catalogue.add(make_design<Designs>()), ...);
  return run_command_line(argc, argv, catalogue);
}

}  // namespace fencecheck
