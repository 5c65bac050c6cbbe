// A counterexample saved to a file, and taken again step by step.
#pragma once

#include <optional>
#include <string>

#include <fencecheck/report/verdict.h>

namespace fencecheck {

/// What a trace file says. Steps are kept as text until there is a design to take them with.
struct TraceFile {
  std::string design;
  Bounds bounds;
  SwitchValues switches;
  std::string property;
  std::string steps_json;
};

/// The file for the counterexample of `property`, which must have one.
std::string trace_file(const CheckResult& result, const DesignText& design, const PropertyResult& property);

/// Reads `content` of the file `path`. Throws UsageError where it is cut off, edited, or no trace file at all.
TraceFile read_trace_file(const std::string& path, const std::string& content);

/// What became of a saved run when it was taken again.
struct Replay {
  ToldRun run;  ///< as far as it could be taken
  bool still_breaks = false;
  std::string difference;  ///< the first difference from the saved run; empty where there is none
};

/// Takes the saved run again with `design`, which must be the one that the file names. Throws UsageError where the
/// design has no such bounds, switches or property any more.
Replay replay(const Design& design, const TraceFile& file);

}  // namespace fencecheck
