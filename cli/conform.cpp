// `fencecheck conform`
#include <fmt/core.h>
#include <unistd.h>

#include <fencecheck/cli/command_line.h>
#include <fencecheck/cli/commands.h>
#include <fencecheck/report/conform.h>
#include <fencecheck/report/story.h>

namespace fencecheck {
namespace {

constexpr std::uint64_t most_pairs = 1'000'000;

}  // namespace

int conform_command(const Catalogue& catalogue, const ConformCommand& command) {
  const CatalogueEntry& model = catalogue.find(command.design);
  const CatalogueEntry& store = catalogue.find(command.file, command.engine_url);
  const Bounds bounds = command.world.applied_to(store.bounds());
  SwitchValues switches = model.switches();
  apply_settings(command.world.set, switches);
  const std::unique_ptr<World> of_model = model.design->world(bounds, switches);
  const std::unique_ptr<World> of_store = store.design->world(bounds, {});
  const Conformity found = conform(*of_model, *of_store, most_pairs);
  const TextStyle style{wanted(command.color, STDOUT_FILENO), false};
  fmt::print("{} against {}: {}\n", command.file, command.design, bounds_text(bounds));
  fmt::print("  {} pairs of states, {} transitions compared\n", found.pairs, found.transitions);
  fmt::print("  compared: whether a move is possible, its answer, who holds the lock; {}\n", found.compared);
  fmt::print("  {}\n", of_store->account());
  if (found.disagreement) {
    fmt::print("\nThey disagree: {}.\n\nThe model, {}:\n{}\nThe store, {}:\n{}", found.disagreement->difference,
               command.design, story(found.disagreement->model, true, style), command.file,
               story(found.disagreement->store, true, style));
    return exit_codes::violated;
  }
  if (!found.complete) {
    fmt::print("  NOT every transition: stopped after {} pairs\n", most_pairs);
    return exit_codes::unknown;
  }
  fmt::print("They agree on every transition of the model.\n");
  return exit_codes::all_hold;
}

}  // namespace fencecheck
