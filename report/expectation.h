// What a design is expected to do: verdicts with the bounds under which they are claimed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fencecheck/report/verdict.h>

namespace fencecheck {

struct ExpectedProperty {
  std::string name;
  Verdict verdict = Verdict::holds;
  std::optional<int> trace_length;    ///< of a violation
  bool vacuous = false;               ///< of a `holds`
  std::optional<int> witness_length;  ///< of a `holds`
};

/// What is expected of a mutant of a design.
struct ExpectedMutant {
  std::string name;
  std::string caught_by;  ///< the property that names the loss; empty where it survives
  std::string because;    ///< why it survives, or why another property than one would name catches it
};

struct Expectation {
  std::string source;  ///< where the claim is from
  Bounds bounds;
  SwitchValues switches;
  std::uint64_t states = 0;  ///< with symmetry on
  std::uint64_t full_states = 0;
  std::uint64_t full_transitions = 0;
  int depth = 0;
  std::vector<ExpectedProperty> properties;  ///< those that are left out are not applicable
  std::vector<std::string> uncovered;        ///< what is never used within the bounds, as `check --coverage` says it
  std::vector<ExpectedMutant> mutants;
};

/// Reads the text of a design's expected.json. Throws UsageError that begins with `where`.
Expectation parse_expectation(const std::string& text, const std::string& where);

/// Everything in `result` that is not as expected, a sentence each; empty where all is.
std::vector<std::string> unexpected(const CheckResult& result, const Expectation& expectation);

/// Whether the verdict on one property is as expected, its length included.
bool is_expected(const PropertyResult& result, const Expectation& expectation);

/// "violated in 5 steps", "holds, vacuously", "holds, witness of 3 steps"
std::string describe(Verdict verdict, std::optional<int> trace_length, bool vacuous = false,
                     std::optional<int> witness_length = std::nullopt);

/// `holds`, `violated`, `unknown` or `not-applicable`; nothing for any other word.
std::optional<Verdict> parse_verdict(const std::string& word);

}  // namespace fencecheck
