// A check's result as text for a person: verdicts, bounds, and each counterexample as a story in lanes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <fencecheck/report/verdict.h>

namespace fencecheck {

struct TextStyle {
  bool color = false;      ///< ANSI colours
  bool witnesses = false;  ///< print the witness of each `holds`
};

/// The whole report on one design.
std::string text_report(const CheckResult& result, const DesignText& design, const TextStyle& style);

/// One run: a lane for each worker that moves, one for the issuer, one for each store. `bad` marks the last step.
std::string story(const ToldRun& run, bool bad, const TextStyle& style);

/// Columns that the text of a report keeps to.
constexpr std::size_t page_width = 118;

/// `text` in lines of at most `width` characters, broken at spaces where that is possible, set in from the second on.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

/// "1 step", "2 steps"
std::string plural(std::uint64_t count, const char* noun);

/// The length of a run: "1 step", "5 steps".
std::string steps_text(int count);

/// "lost reply", or for more than one "lost replies"
std::string fault_name(const FaultText& fault, int count);

/// "store_restores": a fault's budget in a file.
std::string file_key(const FaultText& fault);

/// "3 workers, 4 leases, expiry, no restores"
std::string bounds_text(const Bounds& bounds);

}  // namespace fencecheck
