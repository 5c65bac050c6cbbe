// A check's result as text for a person: verdicts, bounds, and each counterexample as a story in lanes.
#pragma once

#include <string>
#include <vector>

#include <fencecheck/report/verdict.h>

namespace fencecheck {

struct TextStyle {
  bool color = false;     ///< ANSI colours
  bool witnesses = false; ///< print the witness of each `holds`
};

/// The whole report on one design.
std::string text_report(const CheckResult& result, const DesignText& design, const TextStyle& style);

/// One run: a lane for each worker that moves, one for the issuer, one for each store. `bad` marks the last step.
std::string story(const ToldRun& run, bool bad, const TextStyle& style);

/// "3 workers, 4 leases, expiry, no restores"
std::string bounds_text(const Bounds& bounds);

}  // namespace fencecheck
