// `fencecheck replay`
#include <fmt/core.h>
#include <unistd.h>

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

/// The design that a run was saved of.
const CatalogueEntry& entry_of(const Catalogue& catalogue, const std::string& path, const TraceFile& file,
                               const std::string& design_file) {
  if (!design_file.empty()) return catalogue.find(design_file);  // under whatever name: it may be a mended copy
  for (const CatalogueEntry& each : catalogue.entries()) {
    if (each.design->text().name == file.design) return each;
  }
  const std::string of_a_file =
      catalogue.opens_files() ? fmt::format("; where it is a design file, name that as well: `{} replay {} FILE.toml`",
                                            program_name(), path)
                              : "";
  throw UsageError(fmt::format("{}: a trace of the design '{}', which this command does not have (`{} list`){}", path,
                               file.design, program_name(), of_a_file));
}

}  // namespace

int replay_command(const Catalogue& catalogue, const std::string& path, const std::string& design_file,
                   const std::string& color) {
  const TraceFile file = read_trace_file(path, read_file(path));
  const CatalogueEntry& entry = entry_of(catalogue, path, file, design_file);
  const Replay taken = taken_again(path, *entry.design, file);
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
