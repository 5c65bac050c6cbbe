// The fencecheck command, with the catalogue of designs.
#include <fmt/core.h>

#include <fencecheck/cli/command_line.h>
#include <fencecheck/designs/catalogue.h>

namespace {

fencecheck::Catalogue whole_catalogue() {
  fencecheck::Catalogue result;
  for (fencecheck::designs::Entry& entry : fencecheck::designs::catalogue()) {
    const std::string where = fmt::format("designs/{}/expected.json", entry.design->text().name);
    result.add(std::move(entry.design), fencecheck::parse_expectation(entry.expected_json, where));
  }
  result.add(fencecheck::parse_scenarios(fencecheck::designs::scenarios_json(), "designs/scenarios.json"));
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
