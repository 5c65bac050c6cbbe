#include <fencecheck/cli/command_line.h>

#include <fmt/core.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include <fencecheck/cli/commands.h>
#include <fencecheck/engines/engine.h>
#include <fencecheck/report/names.h>

namespace fencecheck {
namespace {

constexpr const char* exit_codes_text =
    "Exit codes: 0 all hold; 12 a property is violated; 13 only lock-becomes-free is; 2 unknown, a limit was met "
    "first;\n"
    "1 a mistake on the command line or in a file, or an expectation that is not met; 70 a mistake of fencecheck's "
    "own;\n77 a real store is not there; 69 a real store failed in the middle.";

constexpr const char* check_footer =
    "A verdict is about the bounds that are printed with it. `holds` means that every state within them was visited;\n"
    "a search that met a limit says `unknown`. `vacuous` means that the situation which the property is about never\n"
    "arose. Bounds and switches that are not given are the design's own (`show DESIGN` prints them).\n\n";

/// Examples with designs that this command has.
std::string examples(const Catalogue& catalogue) {
  const auto name = [&](const char* preferred) {
    for (const CatalogueEntry& entry : catalogue.entries()) {
      if (entry.design->text().name == preferred) return std::string(preferred);
    }
    return catalogue.entries().empty() ? std::string("DESIGN") : catalogue.entries().front().design->text().name;
  };
  std::string text = fmt::format(
      "Examples:\n"
      "  {0} check {1}\n"
      "      what holds, what breaks, and the shortest run that shows it\n"
      "  {0} check {2} --property no-stale-write --trace run.json\n"
      "      saves that run\n"
      "  {0} replay run.json\n"
      "      takes it again, step by step\n",
      program_name(), name("fenced-row"), name("unfenced-row"));
  if (name("core") == "core") {
    text += fmt::format("  {} check core --set check=separate --workers 3 --leases 5\n", program_name());
  }
  return text + fmt::format(
                    "  {0} init my-store\n      starts a design of your own in C++\n"
                    "  {0} init my-store.toml --engine sqlite\n"
                    "      starts one in the statements that your store really runs; `check my-store.toml`\n\n",
                    program_name());
}

/// An option with a number, which is read strictly: no sign that is lost, no octal, nothing after it.
template <class Number>
CLI::Option* number_option(CLI::App& app, const std::string& name, std::optional<Number>& target,
                           const std::string& what, const std::string& help) {
  const auto read = [name, what, &target](const std::string& text) { target = parse_number<Number>(name, text, what); };
  return app.add_option_function<std::string>(name, read, help)->type_name("N");
}

/// An option whose text must not be empty.
CLI::Option* text_option(CLI::App& app, const std::string& name, std::string& target, const std::string& type,
                         const std::string& help) {
  const auto read = [name, type, &target](const std::string& text) {
    if (text.empty()) throw UsageError(fmt::format("{} '': {} is empty", name, type));
    target = text;
  };
  return app.add_option_function<std::string>(name, read, help)->type_name(type);
}

/// One value each time it is given, so that it swallows no design that comes after it.
void repeatable(CLI::Option* option) {
  option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
}

void add_bounds(CLI::App& app, WorldOptions& c) {
  const char* group = "Bounds";
  number_option(app, "--workers", c.workers, "a whole number, 1 to 6", "Workers, 1 to 6")->group(group);
  number_option(app, "--leases", c.leases, "a whole number, 1 to 15", "Leases granted in a run, at most; 1 to 15")
      ->group(group);
  for (std::size_t f = 0; f < fault_count; ++f) {
    number_option(app, fmt::format("--{}", faults[f].plural), c.faults[f],
                  fmt::format("a whole number, 0 to {}", faults[f].most),
                  fmt::format("{}, at most; 0 to {}", faults[f].help, faults[f].most))
        ->group("Faults");
  }
  app.add_flag("--no-expiry", c.no_expiry, "Leases never expire")->group(group);
  app.add_option("--set", c.set, "Sets a switch of the design; repeatable")->type_name("NAME=VALUE")->group(group);
}

void add_limits(CLI::App& app, CheckCommand& c) {
  const char* group = "Limits";
  number_option(app, "--max-states", c.max_states, "a whole number, 1 or more",
                "Stop when there are more states than this")
      ->group(group);
  number_option(app, "--max-depth", c.max_depth, "a whole number, 1 or more", "Look at runs of at most this many steps")
      ->group(group);
  number_option(app, "--time-limit", c.time_limit, "a number of seconds, more than 0", "Stop after this many seconds")
      ->type_name("SECONDS")
      ->group(group);
  text_option(app, "--memory-limit", c.memory_limit, "SIZE",
              "Memory for the states, such as 512M (default: most of what is free)")
      ->group(group);
}

void add_engine_url(CLI::App& app, std::string& url) {
  text_option(app, "--engine-url", url, "URL",
              "Of design files: use this running server, in an empty place of our own, instead of a private one");
}

void add_outputs(CLI::App& app, CheckCommand& c) {
  const char* group = "Output";
  const CLI::IsMember when({"auto", "always", "never"});
  app.add_option("--format", c.format, "(default: text)")->check(CLI::IsMember({"text", "json"}))->group(group);
  text_option(app, "--junit", c.junit, "FILE", "Also write a JUnit XML file")->group(group);
  text_option(app, "--trace", c.trace, "FILE", "Save the first counterexample, for `replay`")->group(group);
  text_option(app, "--emit-sql", c.emit_sql, "FILE",
              "Of a design file: write the first counterexample as a script for two terminals")
      ->group(group);
  text_option(app, "--emit-isolation", c.emit_isolation, "FILE",
              "The same as a specification for PostgreSQL's isolation tester")
      ->group(group);
  app.add_flag("--witness", c.witness, "Print the witness of each `holds`: its situation, met and handled")
      ->group(group);
  app.add_flag("--coverage", c.coverage, "Also name what is never used: steps, conditions (text only)")->group(group);
  app.add_option("--expect", c.expect, "holds, violated or unknown; exit 0 exactly when all are met; repeatable")
      ->type_name("PROPERTY=VERDICT")
      ->group(group);
  app.add_option("--progress", c.progress, "On standard error (default: auto)")->check(when)->group(group);
  app.add_option("--color", c.color, "(default: auto)")->check(when)->group(group);
}

void add_check_options(CLI::App& app, CheckCommand& c) {
  app.add_option("DESIGN", c.designs, "Designs to check (`list` names them), or design files (FILE.toml)")
      ->type_name("");
  app.add_flag("--all", c.all, "Check every design against its expected verdicts, and print a table");
  text_option(app, "--scenario", c.scenario, "NAME", "Check the claims of a scenario (`list scenarios` names them)");
  app.add_option("--property", c.properties, "Judge this property; repeatable (default: all)")->type_name("NAME");
  app.add_option("--symmetry", c.symmetry, "Treat workers as interchangeable (default: on)")
      ->check(CLI::IsMember({"on", "off"}));
  number_option(app, "--threads", c.threads, "a whole number, 1 to 64", "1 to 64 (default: one for each processor)");
  app.add_flag("--stop-at-first", c.stop_at_first, "End with the first violation instead of the whole space");
  add_bounds(app, c.world);
  add_limits(app, c);
  add_engine_url(app, c.engine_url);
  number_option(app, "--simulate", c.simulate, "a whole number, 1 or more",
                "Take this many random walks instead of a search")
      ->group("Random walks");
  number_option(app, "--seed", c.seed, "a whole number, 0 or more", "Seed of the random walks (default: 1)")
      ->group("Random walks");
  add_outputs(app, c);
  for (const char* option : {"--set", "--property", "--expect"}) repeatable(app.get_option(option));
  app.footer(std::string(check_footer) + exit_codes_text);
}

void add_mutate_options(CLI::App& app, MutateCommand& c) {
  app.add_option("DESIGN", c.design, "A design (`list` names them)")->required()->type_name("");
  add_bounds(app, c.world);
  repeatable(app.get_option("--set"));
  app.add_flag("--runs", c.runs, "Print a shortest run of each mutant that is caught");
  app.add_option("--format", c.format, "(default: text)")->check(CLI::IsMember({"text", "json"}));
  app.add_option("--color", c.color, "(default: auto)")->check(CLI::IsMember({"auto", "always", "never"}));
  app.footer(
      "A mutant has one mistake: a condition that always passes, a step that decides one step before it acts, a field\n"
      "of a store that is empty again after every step, a transaction that loses its part at one store. It is caught "
      "by\n"
      "the properties that hold in the design and break in the mutant. One that survives shows that the guard is not\n"
      "needed within these bounds, or that no property sees its loss.\n\n"
      "Exit codes: 0 all are as the design's expected.json says (or it says nothing of mutants, or bounds or switches\n"
      "were given); 1 some are not.");
}

void add_matrix_options(CLI::App& app, MatrixCommand& c) {
  const auto number = [](const char* name, int& target, int least, int most) {
    return [=, &target](const std::string& text) {
      target = parse_number<int>(name, text, fmt::format("a whole number, {} to {}", least, most));
      if (target < least || target > most) {
        throw UsageError(fmt::format("{} is {}; it must be {} to {}", name, target, least, most));
      }
    };
  };
  c.threads = standard_threads();
  app.add_option("DESIGN", c.designs, "Designs (`list` names them; default: all)")->type_name("");
  app.add_option_function<std::string>("--max-faults", number("--max-faults", c.most_faults, 0, 4),
                                       "Try sets of at most this many faults, 0 to 4 (default: 2)")
      ->type_name("N");
  app.add_option_function<std::string>("--threads", number("--threads", c.threads, 1, 64),
                                       "1 to 64 (default: one for each processor)")
      ->type_name("N");
  app.add_option("--format", c.format, "(default: text)")->check(CLI::IsMember({"text", "json", "markdown"}));
  app.add_option("--progress", c.progress, "On standard error (default: auto)")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app.footer(
      "A property that breaks under some faults breaks under more of them too, so the smallest sets say it all: for\n"
      "each of them the length of a shortest run is printed; --format json has the runs. Workers, leases and switches\n"
      "are the design's own; `expiry` is a set member like any other, as often as there are leases.");
}

void add_conform_options(CLI::App& app, ConformCommand& c) {
  app.add_option("DESIGN", c.design, "A design (`list` names them)")->required()->type_name("");
  app.add_option("FILE.toml", c.file, "A design file that is said to do the same")->required()->type_name("");
  add_bounds(app, c.world);
  repeatable(app.get_option("--set"));
  add_engine_url(app, c.engine_url);
  app.add_option("--color", c.color, "(default: auto)")->check(CLI::IsMember({"auto", "always", "never"}));
  app.footer(
      "Every transition of the model is taken at the store as well, the shortest runs first: whether it is possible, "
      "what\n"
      "is answered, who holds the lock, and the fields of the same name in the file's `read` query must be the same.\n"
      "Bounds are the file's unless given. Steps correspond by their order.\n\n"
      "Exit codes: 0 they agree; 12 they do not; 2 there are too many states; 77 and 69 as for `check`.");
}

int mistake(const std::string& message) {
  fmt::print(stderr, "{}: {}\n", program_name(), message);
  return exit_codes::usage;
}

/// What is wrong with a command line that does not parse, and what would be right.
std::string unparsed(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App& where = chosen.empty() ? app : *chosen.front();
  const std::vector<std::string> unexpected = app.remaining(true);
  const std::string help = fmt::format("{}{} --help", program_name(), chosen.empty() ? "" : " " + where.get_name());
  std::vector<std::string> commands;
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(each->get_name());
  }
  if (unexpected.empty() && chosen.empty()) {
    return fmt::format("a command is missing; there are: {} (`{}`)", fmt::join(commands, ", "), help);
  }
  if (unexpected.empty()) return fmt::format("{} (`{}`)", error.what(), help);
  const std::string& first = unexpected.front();
  if (first[0] != '-') {
    if (chosen.empty()) return unknown_name("command", first, commands);
    return fmt::format("{}: '{}' is one argument too many (`{}`)", where.get_name(), first, help);
  }
  std::vector<std::string> options;
  for (const CLI::Option* each : where.get_options()) options.push_back(each->get_name(false, false));
  const std::string nearest = nearest_name(first.substr(0, first.find('=')), options);
  return fmt::format("unknown option '{}'{} (`{}`)", first,
                     nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest), help);
}

/// What was printed may still wait to be written. False, with a message, where it cannot be: a full disk, a closed
/// pipe.
bool output_written() {
  const bool failed = std::fflush(stdout) != 0;
  if (!failed && std::ferror(stdout) == 0) return true;
  // Where an earlier write failed, its reason is not known any more.
  mistake(fmt::format("cannot write to standard output{}{}", failed ? ": " : "", failed ? std::strerror(errno) : ""));
  return false;
}

}  // namespace

int run_command_line(int argc, const char* const* argv, const Catalogue& catalogue) {
  set_program_name(argc > 0 ? argv[0] : nullptr);
  CLI::App app("Can a late request from an old owner hurt my data, and if so, how?", program_name());
  app.set_version_flag("--version", std::string("fencecheck ") + FENCECHECK_VERSION);
  app.require_subcommand(1);

  CLI::App* list = app.add_subcommand("list", "The designs and the properties, a line each; or the scenarios");
  std::string what = "designs";
  list->add_option("WHAT", what, "designs (and properties), or scenarios")
      ->check(CLI::IsMember({"designs", "scenarios"}))
      ->type_name("");
  CLI::App* show = app.add_subcommand("show", "A design: its components, its program step by step, its properties");
  std::string name;
  std::vector<std::string> set;
  show->add_option("DESIGN", name, "A design (`list` names them)")->required()->type_name("");
  repeatable(show->add_option("--set", set, "Sets a switch of the design; repeatable")->type_name("NAME=VALUE"));
  CLI::App* check = app.add_subcommand("check", "Checks designs: every interleaving within the bounds");
  CheckCommand command;
  add_check_options(*check, command);
  CLI::App* mutate = app.add_subcommand("mutate", "Takes away each guard and boundary of a design: who notices?");
  MutateCommand mutate_options;
  add_mutate_options(*mutate, mutate_options);
  CLI::App* matrix = app.add_subcommand("matrix", "Under which fewest faults each property of a design breaks");
  MatrixCommand matrix_options;
  add_matrix_options(*matrix, matrix_options);
  CLI::App* conform = app.add_subcommand("conform", "Whether a real store does what a design says, step by step");
  ConformCommand conform_options;
  add_conform_options(*conform, conform_options);
  CLI::App* replay = app.add_subcommand("replay", "Takes a saved run again, step by step");
  std::string path;
  std::string design_file;
  std::string color = "auto";
  replay->add_option("FILE", path, "Written by `check DESIGN --trace FILE`")->required()->type_name("");
  replay->add_option("DESIGN", design_file, "FILE.toml, where the run is of a design file")->type_name("");
  replay->add_option("--color", color, "(default: auto)")->check(CLI::IsMember({"auto", "always", "never"}));
  replay->footer("Exit codes: 12 the run still breaks its property; 0 it no longer does; 1 the file cannot be used.");
  CLI::App* explain = app.add_subcommand("explain", "A property: what it claims, and what it does not say");
  explain->add_option("PROPERTY", name, "A property (`list` names them)")->required()->type_name("");
  CLI::App* init = app.add_subcommand("init", "Writes a starter: a project in C++, or a design file for a real store");
  init->add_option("DIR", path, "A folder that does not exist yet, or is empty; or FILE.toml")
      ->required()
      ->type_name("");
  std::string engine;
  init->add_option("--engine", engine, "Of FILE.toml: sqlite, postgresql, redis, etcd or zookeeper")->type_name("KIND");
  app.footer(examples(catalogue) + exit_codes_text);

  const auto run = [&] {
    app.parse(argc, argv);
    if (*list) return what == "scenarios" ? list_scenarios_command(catalogue) : list_command(catalogue);
    if (*show) return show_command(catalogue, name, set);
    if (*check) return check_command(catalogue, command);
    if (*mutate) return mutate_command(catalogue, mutate_options);
    if (*matrix) return matrix_command(catalogue, matrix_options);
    if (*conform) return conform_command(catalogue, conform_options);
    if (*replay) return replay_command(catalogue, path, design_file, color);
    if (*explain) return explain_command(catalogue, name);
    return init_command(path, engine);
  };
  try {
    const int code = run();
    return output_written() ? code : exit_codes::usage;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return mistake(unparsed(app, error));
    app.exit(error);  // --help and --version
    return output_written() ? exit_codes::all_hold : exit_codes::usage;
  } catch (const UsageError& error) {
    return mistake(error.what());
  } catch (const engines::EngineMissing& error) {
    mistake(error.what());
    return exit_codes::store_missing;
  } catch (const engines::EngineFailure& error) {
    mistake(error.what());
    return exit_codes::store_failed;
  } catch (const std::bad_alloc&) {
    return mistake("the system has no memory left for the search; give a smaller --memory-limit");
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return mistake(fmt::format("cannot write to standard output: {}", error.what()));
    fmt::print(stderr, "{}: internal error: {}\n", program_name(), error.what());
    return exit_codes::internal;
  }
}

}  // namespace fencecheck
