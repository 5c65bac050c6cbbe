// The fencecheck command, with the catalogue of designs.
#include <fmt/core.h>

#include <fencecheck/cli/command_line.h>
#include <fencecheck/designs/catalogue.h>
#include <fencecheck/engines/file_design.h>

namespace {

fencecheck::CatalogueEntry open_design_file(const std::string& path, const std::string& url) {
  fencecheck::CatalogueEntry entry;
  fencecheck::engines::DesignFile file = fencecheck::engines::read_design_file(path);
  file.engine.url = url;
  auto design = std::make_unique<fencecheck::engines::FileDesign>(std::move(file));
  for (const fencecheck::engines::ExpectedVerdict& each : design->file().expected) {
    entry.promised.push_back({each.property, *fencecheck::parse_verdict(each.verdict), each.steps, false, {}});
  }
  entry.design = std::move(design);
  return entry;
}

fencecheck::Catalogue whole_catalogue() {
  fencecheck::Catalogue result;
  for (fencecheck::designs::Entry& entry : fencecheck::designs::catalogue()) {
    const std::string where = fmt::format("designs/{}/expected.json", entry.design->text().name);
    result.add(std::move(entry.design), fencecheck::parse_expectation(entry.expected_json, where));
  }
  result.add(fencecheck::parse_scenarios(fencecheck::designs::scenarios_json(), "designs/scenarios.json"));
  result.open_files_with(open_design_file);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return fencecheck::run_command_line(argc, argv, whole_catalogue());
  } catch (const std::exception& error) {
    fmt::print(stderr, "fencecheck: internal error: {}\n", error.what());
    return fencecheck::exit_codes::internal;
  }
}
