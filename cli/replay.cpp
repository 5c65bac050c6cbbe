// `fencecheck replay`
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

#include <fencecheck/cli/command_line.h>
#include <fencecheck/cli/commands.h>
#include <fencecheck/report/boundary.h>
#include <fencecheck/report/files.h>
#include <fencecheck/report/story.h>
#include <fencecheck/report/trace_file.h>

namespace fencecheck {

namespace {

// What the design no longer has is told with the file that asks for it.
Replay taken_again(const std::string& path, const Design& design, const TraceFile& file) {
  try {
    return replay(design, file);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: it cannot be taken again: {}", path, error.what()));
  }
}

}  // namespace

int replay_command(const Catalogue& catalogue, const std::string& path, const std::string& color) {
  const TraceFile file = read_trace_file(path, read_file(path));
  const auto entry = std::find_if(catalogue.entries().begin(), catalogue.entries().end(),
                                  [&](const CatalogueEntry& each) { return each.design->text().name == file.design; });
  if (entry == catalogue.entries().end()) {
    throw UsageError(fmt::format("{}: a trace of the design '{}', which this command does not have (`{} list`)", path,
                                 file.design, program_name()));
  }
  const Replay taken = taken_again(path, *entry->design, file);
  fmt::print("{}: {} within {}\n\n", file.design, file.property, bounds_text(file.bounds));
  fmt::print("{}\n", story(taken.run, taken.still_breaks, {wanted(color, STDOUT_FILENO), false}));
  if (!taken.difference.empty()) fmt::print("Not as it was saved: {}\n", taken.difference);
  if (!taken.still_breaks) {
    fmt::print("This run no longer breaks {}.\n", file.property);
    return exit_codes::all_hold;
  }
  const PropertyInfo info = catalogue.find_property(file.property);
  fmt::print("This run still breaks {}: {}\n", file.property, why_bad(taken.run, info));
  return exit_codes::violated;
}

}  // namespace fencecheck
