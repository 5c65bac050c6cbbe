// Claims in a file: a situation or a public report, and what designs do in it.
//
//   [{"name": "late-write", "situation": "A stands still, its lease ends, B writes; A's write arrives.",
//     "claims": [{"design": "fenced-row", "expect": {"no-stale-write": "holds"}},
//                {"design": "unfenced-row", "bounds": {"workers": 2, "leases": 2}, "expect": {"no-stale-write": 5}}]}]
//
// A number is the length of the shortest run that breaks the property. Without bounds or switches the design's own are
// meant.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fencecheck/report/verdict.h>

namespace fencecheck {

struct ExpectedVerdict {
  std::string property;
  Verdict verdict = Verdict::holds;
  std::optional<int> trace_length;  ///< of a violation

  std::string text() const;  ///< "holds", "violated in 5 steps"
};

struct Claim {
  std::string design;
  std::optional<Bounds> bounds;
  SwitchValues switches;
  std::vector<ExpectedVerdict> expect;
};

struct Scenario {
  std::string name;
  std::string situation;
  std::vector<Claim> claims;
};

/// How to check `claim`: `common`, with the claim's bounds, switches and properties. The design's own `bounds` and
/// `switches` are what it leaves out.
CheckOptions options_for(const Claim& claim, CheckOptions common, const Bounds& bounds, const SwitchValues& switches);

/// Reads a list of scenarios. Throws UsageError that begins with `where`.
std::vector<Scenario> parse_scenarios(const std::string& text, const std::string& where);

/// What `result` has to say that is not as claimed, a sentence each; empty where all is. A `holds` that is vacuous is
/// not what was claimed: the situation has to arise.
std::vector<std::string> unmet(const Claim& claim, const CheckResult& result);

}  // namespace fencecheck
