#include <fencecheck/cli/command_line.h>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <new>

#include <fencecheck/cli/commands.h>

namespace fencecheck {
namespace {

constexpr const char* footer =
    "Examples:\n"
    "  fencecheck check fenced-row                      what holds, what breaks, and the shortest run that shows it\n"
    "  fencecheck check unfenced-row --property no-stale-write --trace run.json\n"
    "  fencecheck replay run.json                       takes that run again\n"
    "  fencecheck check core --set check=separate --workers 3 --leases 5\n"
    "  fencecheck init my-store                         starts a design of your own\n"
    "\n"
    "Exit codes: 0 all hold; 12 a property is violated; 2 unknown, a limit was met first; 1 a mistake on the command\n"
    "line or in a file, or an expectation that is not met; 70 a mistake of fencecheck's own.";

constexpr const char* check_footer =
    "A verdict is about the bounds that are printed with it. `holds` means that every state within them was visited;\n"
    "a search that met a limit says `unknown`. `vacuous` means that the situation which the property is about never\n"
    "arose. Bounds and switches that are not given are the design's own (fencecheck show DESIGN).";

void add_check_options(CLI::App& app, CheckCommand& c) {
  app.add_option("DESIGN", c.designs, "Designs to check (fencecheck list)");
  app.add_flag("--all", c.all, "Check every design against its expected verdicts, and print a table");
  app.add_option("--workers", c.workers, "Workers, 1 to 6")->group("Bounds");
  app.add_option("--leases", c.leases, "Leases granted in a run, at most; 1 to 15")->group("Bounds");
  app.add_option("--issuer-restores", c.issuer_restores, "Restores of the lock service, at most; 0 to 15")
      ->group("Bounds");
  app.add_option("--store-restores", c.store_restores, "Restores of stores, at most; 0 to 15")->group("Bounds");
  app.add_flag("--no-expiry", c.no_expiry, "Leases never expire")->group("Bounds");
  app.add_option("--set", c.set, "Sets a switch of the design: NAME=VALUE")->group("Bounds");
  app.add_option("--property", c.properties, "Judge this property; repeatable (default: all)");
  app.add_option("--symmetry", c.symmetry, "Treat workers as interchangeable (default: on)")
      ->check(CLI::IsMember({"on", "off"}));
  app.add_option("--threads", c.threads, "Threads (default: one for each processor)");
  app.add_flag("--stop-at-first", c.stop_at_first, "End with the first violation instead of the whole space");
  app.add_option("--max-states", c.max_states, "Stop when there are more states than this")->group("Limits");
  app.add_option("--max-depth", c.max_depth, "Look at runs of at most this many steps")->group("Limits");
  app.add_option("--time-limit", c.time_limit, "Stop after this many seconds")->group("Limits");
  app.add_option("--memory-limit", c.memory_limit, "Memory for the states, such as 512M (default: most of what is free)")
      ->group("Limits");
  app.add_option("--simulate", c.simulate, "Take this many random walks instead of a search")->group("Random walks");
  app.add_option("--seed", c.seed, "Seed of the random walks (default: 1)")->group("Random walks");
  app.add_option("--format", c.format, "text or json (default: text)")
      ->check(CLI::IsMember({"text", "json"}))
      ->group("Output");
  app.add_option("--junit", c.junit, "Also write a JUnit XML file")->group("Output");
  app.add_option("--trace", c.trace, "Save the first counterexample, for `fencecheck replay`")->group("Output");
  app.add_flag("--witness", c.witness, "Print the witness of each `holds`: its situation, met and handled")
      ->group("Output");
  app.add_option("--expect", c.expect, "PROPERTY=holds|violated|unknown; exit 0 exactly when all are met; repeatable")
      ->group("Output");
  app.add_option("--progress", c.progress, "On standard error: auto, always or never (default: auto)")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->group("Output");
  app.add_option("--color", c.color, "auto, always or never (default: auto)")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->group("Output");
  for (const char* repeatable : {"--set", "--property", "--expect"}) {
    app.get_option(repeatable)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  app.footer(check_footer);
}

int mistake(const std::string& message) {
  fmt::print(stderr, "fencecheck: {}\n", message);
  return exit_codes::usage;
}

}  // namespace

int run_command_line(int argc, const char* const* argv, const Catalogue& catalogue) {
  CLI::App app("fencecheck: can a late request from an old owner hurt my data, and if so, how?", "fencecheck");
  app.set_version_flag("--version", std::string("fencecheck ") + FENCECHECK_VERSION);
  app.require_subcommand(1);
  app.footer(footer);

  CLI::App* list = app.add_subcommand("list", "The designs and the properties, a line each");
  CLI::App* show = app.add_subcommand("show", "A design: its components, its program step by step, its properties");
  std::string name;
  std::vector<std::string> set;
  show->add_option("DESIGN", name, "A design (fencecheck list)")->required();
  show->add_option("--set", set, "Sets a switch of the design: NAME=VALUE")->expected(1)->multi_option_policy(
      CLI::MultiOptionPolicy::TakeAll);
  CLI::App* check = app.add_subcommand("check", "Checks designs: every interleaving within the bounds");
  CheckCommand command;
  add_check_options(*check, command);
  CLI::App* replay = app.add_subcommand("replay", "Takes a saved run again, step by step");
  std::string path;
  std::string color = "auto";
  replay->add_option("FILE", path, "Written by `fencecheck check DESIGN --trace FILE`")->required();
  replay->add_option("--color", color, "auto, always or never")->check(CLI::IsMember({"auto", "always", "never"}));
  CLI::App* explain = app.add_subcommand("explain", "A property: what it claims, and what it does not say");
  explain->add_option("PROPERTY", name, "A property (fencecheck list)")->required();
  CLI::App* init = app.add_subcommand("init", "Writes a starter project with a store design of your own");
  init->add_option("DIR", path, "A folder that does not exist yet, or is empty")->required();

  try {
    app.parse(argc, argv);
    if (*list) return list_command(catalogue);
    if (*show) return show_command(catalogue, name, set);
    if (*check) return check_command(catalogue, command);
    if (*replay) return replay_command(catalogue, path, color);
    if (*explain) return explain_command(catalogue, name);
    if (*init) return init_command(path);
    return exit_codes::usage;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    return mistake(fmt::format("{}\n`fencecheck --help` and `fencecheck COMMAND --help` say what there is.", error.what()));
  } catch (const UsageError& error) {
    return mistake(error.what());
  } catch (const std::bad_alloc&) {
    return mistake("the system has no memory left for the search; give a smaller --memory-limit");
  } catch (const std::exception& error) {
    fmt::print(stderr, "fencecheck: internal error: {}\n", error.what());
    return exit_codes::internal;
  }
}

}  // namespace fencecheck
