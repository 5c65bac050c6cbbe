// `fencecheck check`
#include <fmt/core.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>

#include <fencecheck/cli/command_line.h>
#include <fencecheck/cli/commands.h>
#include <fencecheck/cli/progress.h>
#include <fencecheck/report/boundary.h>
#include <fencecheck/report/coverage.h>
#include <fencecheck/report/emit.h>
#include <fencecheck/report/files.h>
#include <fencecheck/report/json.h>
#include <fencecheck/report/junit.h>
#include <fencecheck/report/names.h>
#include <fencecheck/report/story.h>
#include <fencecheck/report/table.h>
#include <fencecheck/report/trace_file.h>

namespace fencecheck {
namespace {

/// Coverage looks at whole states, one after another: millions of them would take minutes.
constexpr std::size_t most_covered_states = 200'000;

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");

/// Makes the first Ctrl-C end a search that then reports what it found; the second ends the process. Made
/// before anything is started that has to be cleared away.
class InterruptGuard {
 public:
  InterruptGuard() {
    interrupted = false;
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = true; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, &before_);
  }
  ~InterruptGuard() { sigaction(SIGINT, &before_, nullptr); }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct sigaction before_ {};
};

struct Expected {
  std::string property;
  Verdict verdict = Verdict::holds;
};

std::vector<Expected> parse_expected(const std::vector<std::string>& words) {
  std::vector<Expected> result;
  for (const std::string& word : words) {
    const auto [property, verdict] = parse_pair("--expect", word);
    const std::optional<Verdict> parsed = parse_verdict(verdict);
    if (!parsed || *parsed == Verdict::not_applicable) {
      throw UsageError(
          fmt::format("--expect {}: '{}' is no verdict; there are holds, violated and unknown", word, verdict));
    }
    result.push_back({property, *parsed});
  }
  return result;
}

class CheckRun {
 public:
  CheckRun(const Catalogue& catalogue, const CheckCommand& command)
      : catalogue_(catalogue), command_(command), expected_(parse_expected(command.expect)) {
    choose_designs();
    require_sensible();
  }

  int run() {
    if (!command_.scenario.empty()) return check_scenario();
    for (const CatalogueEntry* entry : chosen_) {
      results_.push_back(check_one(*entry));
      if (command_.format == "text" && !command_.all) print_text(*entry, results_.back());
      if (interrupted) break;
    }
    chosen_.resize(results_.size());
    print_rest();
    save_files();
    return verdict();
  }

 private:
  int check_scenario() const {
    CheckOptions options;
    set_search(options);
    return scenario_command(catalogue_, command_.scenario, options, color());
  }

  void choose_designs() {
    if (!command_.scenario.empty()) {
      if (command_.all || !command_.designs.empty() || command_.world.any() || command_.simulate ||
          !command_.expect.empty() || !command_.properties.empty() || command_.format != "text" ||
          !command_.junit.empty() || !command_.trace.empty()) {
        throw UsageError(
            "--scenario says itself which designs are checked, within which bounds, and what is expected: leave out "
            "designs, --all, --property, --expect, --simulate, other bounds and other outputs");
      }
      return;
    }
    if (command_.all && !command_.designs.empty()) {
      throw UsageError("check: name designs, or say --all, not both");
    }
    if (command_.all) {
      for (const CatalogueEntry& entry : catalogue_.entries()) chosen_.push_back(&entry);
      return;
    }
    for (const std::string& name : command_.designs) chosen_.push_back(&catalogue_.find(name, command_.engine_url));
    if (!chosen_.empty()) return;
    if (catalogue_.entries().size() != 1) {
      throw UsageError(
          fmt::format("check: which design? Name one or more, or say --all; `{} list` names them", program_name()));
    }
    chosen_.push_back(&catalogue_.entries().front());
  }

  void require_sensible() const {
    if (command_.all && (command_.world.any() || command_.simulate || !command_.expect.empty())) {
      throw UsageError(
          "check --all compares every design with its expected verdicts, within their bounds: leave out the options "
          "that change bounds, switches or expectations, or name the designs");
    }
    if (!command_.trace.empty() && chosen_.size() != 1) {
      throw UsageError("--trace saves one counterexample: name one design");
    }
    require_emittable("--emit-sql", command_.emit_sql, {"sqlite", "postgresql"});
    require_emittable("--emit-isolation", command_.emit_isolation, {"postgresql"});
    if (command_.threads && (*command_.threads < 1 || *command_.threads > 64)) {
      throw UsageError(fmt::format("--threads is {}; it must be 1 to 64", *command_.threads));
    }
    if (command_.max_states && *command_.max_states == 0) throw UsageError("--max-states is 0; it must be 1 or more");
    if (command_.max_depth && *command_.max_depth < 1) {
      throw UsageError(fmt::format("--max-depth is {}; it must be 1 or more", *command_.max_depth));
    }
    if (command_.time_limit && *command_.time_limit <= 0) {
      throw UsageError(fmt::format("--time-limit is {}; it must be more than 0 seconds", *command_.time_limit));
    }
    if (command_.coverage && (command_.all || command_.format != "text" || command_.simulate)) {
      throw UsageError("--coverage is told in words, of a search: leave out --all, --simulate and --format json");
    }
    require_sensible_simulation();
    for (const CatalogueEntry* entry : chosen_) require_possible(*entry);
    if (!command_.junit.empty() && command_.junit == command_.trace) {
      throw UsageError(fmt::format("--junit and --trace are both {}: one would overwrite the other", command_.trace));
    }
    if (!command_.junit.empty()) require_writable(command_.junit);
    if (!command_.trace.empty()) require_writable(command_.trace);
  }

  void require_emittable(const char* option, const std::string& path, const std::vector<std::string>& engines) const {
    if (path.empty()) return;
    const bool one = chosen_.size() == 1;
    if (one && chosen_[0]->design->text().store_engine.find(" and ") != std::string::npos) {
      throw UsageError(fmt::format("{} writes statements for one engine, and this file has two ({})", option,
                                   chosen_[0]->design->text().store_engine));
    }
    if (!one || std::find(engines.begin(), engines.end(), chosen_[0]->design->text().store_engine) == engines.end()) {
      throw UsageError(
          fmt::format("{} writes one counterexample of a real store: name one design file whose engine is {}", option,
                      fmt::join(engines, " or ")));
    }
    require_writable(path);
  }

  void require_sensible_simulation() const {
    if (!command_.simulate) {
      if (command_.seed) throw UsageError("--seed is for random walks: say --simulate N too, or leave it out");
      return;
    }
    if (*command_.simulate == 0) throw UsageError("--simulate is 0; it must be 1 walk or more");
    const char* of_search = command_.max_states              ? "--max-states"
                            : !command_.memory_limit.empty() ? "--memory-limit"
                            : command_.stop_at_first         ? "--stop-at-first"
                                                             : nullptr;
    if (of_search == nullptr) return;
    throw UsageError(fmt::format("--simulate takes random walks and no search: leave out {} ({})", of_search,
                                 "walks have --max-depth and --time-limit"));
  }

  /// So that a mistake about the second design is told before the first is searched for an hour.
  void require_possible(const CatalogueEntry& entry) const {
    const CheckOptions options = options_for(entry);
    static_cast<void>(entry.design->world(options.bounds, options.switches));
    for (const std::string& name : command_.properties) require_property(entry, "--property", name);
    for (const Expected& each : expected_) {
      require_property(entry, "--expect", each.property);
      const std::vector<std::string>& chosen = command_.properties;
      if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), each.property) == chosen.end()) {
        throw UsageError(
            fmt::format("--expect {}: it is not among the properties chosen with --property", each.property));
      }
    }
  }

  void require_property(const CatalogueEntry& entry, const char* option, const std::string& name) const {
    std::vector<std::string> known;
    for (const PropertyText& each : entry.design->text().properties) known.emplace_back(each.info.name);
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    throw UsageError(fmt::format("{}: {}", option, unknown_name("property", name, known)));
  }

  CheckOptions options_for(const CatalogueEntry& entry) const {
    CheckOptions options;
    options.bounds = command_.world.applied_to(entry.bounds());
    options.switches = entry.switches();
    apply_settings(command_.world.set, options.switches);
    options.properties = command_.properties;
    options.want_witnesses = command_.witness || command_.format == "json";
    set_search(options);
    if (command_.simulate) options.simulate = Simulation{*command_.simulate, command_.seed.value_or(1), 0};
    return options;
  }

  /// How to search, whatever it is that is searched.
  void set_search(CheckOptions& options) const {
    options.symmetry = command_.symmetry == "on";
    options.threads = command_.threads.value_or(standard_threads());
    options.stop_at_first = command_.stop_at_first;
    options.limits.max_states = command_.max_states.value_or(options.limits.max_states);
    options.limits.max_depth = command_.max_depth.value_or(options.limits.max_depth);
    options.limits.seconds = command_.time_limit.value_or(options.limits.seconds);
    options.limits.memory_bytes =
        command_.memory_limit.empty() ? standard_memory_limit() : parse_size("--memory-limit", command_.memory_limit);
    options.interrupted = &interrupted;
  }

  CheckResult check_one(const CatalogueEntry& entry) const {
    CheckOptions options = options_for(entry);
    ProgressLine progress(entry.design->text().name, wanted(command_.progress, STDERR_FILENO),
                          command_.simulate.has_value());
    options.progress = progress.callback();
    return check(*entry.design, options);
  }

  bool color() const { return wanted(command_.color, STDOUT_FILENO); }

  void print_text(const CatalogueEntry& entry, const CheckResult& result) const {
    if (&result != &results_.front()) fmt::print("\n");
    fmt::print("{}", text_report(result, entry.design->text(), {color(), command_.witness}));
    if (command_.coverage) print_coverage(entry);
    std::fflush(stdout);
  }

  void print_coverage(const CatalogueEntry& entry) const {
    const CheckOptions options = options_for(entry);
    const std::unique_ptr<World> world = entry.design->world(options.bounds, options.switches);
    const Coverage coverage = cover(*world, most_covered_states);
    const std::vector<std::string> never = gaps(*world, coverage);
    fmt::print("\ncoverage of {}\n", entry.design->text().name);
    for (const std::string& each : never) fmt::print("  {}\n", each);
    if (never.empty()) {
      fmt::print("  every step happens{}\n", coverage.guards.empty()
                                                 ? "; no condition is named"
                                                 : ", every condition is sometimes true and sometimes false");
    }
    if (!coverage.complete) {
      fmt::print("  (of the first {} states only: what is never used there may be used later)\n", most_covered_states);
    }
  }

  void print_rest() const {
    if (command_.format == "json") {
      std::vector<const DesignText*> texts;
      for (const CatalogueEntry* entry : chosen_) texts.push_back(&entry->design->text());
      const bool one = results_.size() == 1 && !command_.all;
      fmt::print("{}", one ? json_report(results_[0], *texts[0]) : json_report(results_, texts));
    } else if (command_.all) {
      print_table();
    }
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (command_.format == "text" && keeps_promises(i) && unmet(i).empty()) {
        fmt::print("\n{}: all is as its [expect] says.\n", results_[i].design);
      }
      for (const std::string& each : unmet(i)) fmt::print(stderr, "{}: {}\n", results_[i].design, each);
    }
    if (results_.size() <
        (command_.all ? catalogue_.entries().size() : std::max<std::size_t>(1, command_.designs.size()))) {
      fmt::print(stderr, "interrupted: the designs after {} were not checked\n", results_.back().design);
    }
  }

  void print_table() const {
    std::vector<TableRow> rows;
    std::size_t surprises = 0;
    std::size_t unasked = 0;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const auto& expectation = chosen_[i]->expectation;
      rows.push_back({&results_[i], expectation ? &*expectation : nullptr});
      if (!unmet(i).empty()) ++surprises;
      if (!expectation) ++unasked;
    }
    fmt::print("{}\n", table(rows, color()));
    fmt::print(
        "What holds vacuously holds, but its situation never arose. Every verdict is about the bounds of its design\n"
        "(`{} show DESIGN`). ",
        program_name());
    if (unasked != 0) {
      fmt::print("Nothing is expected of {} of them: these count as in `check DESIGN`.\n", unasked);
    } else if (surprises == 0) {
      fmt::print("All {} designs are as expected.\n", results_.size());
    } else {
      fmt::print("{} of {} designs are NOT as expected (marked !!, or below).\n", surprises, results_.size());
    }
    std::fflush(stdout);
  }

  /// What is not as it was expected of result `i`, a sentence each.
  std::vector<std::string> unmet(std::size_t i) const {
    std::vector<std::string> sentences;
    if (command_.all) {
      if (!results_[i].complete) {
        sentences.push_back(fmt::format("not checked to the end: stopped by {}", to_string(results_[i].stopped_by)));
      }
      if (!chosen_[i]->expectation) return sentences;
      for (std::string& each : unexpected(results_[i], *chosen_[i]->expectation)) sentences.push_back(std::move(each));
    }
    if (keeps_promises(i)) add_broken_promises(results_[i], chosen_[i]->promised, sentences);
    for (const Expected& each : expected_) {
      for (const PropertyResult& property : results_[i].properties) {
        if (property.info.name != each.property || property.verdict == each.verdict) continue;
        sentences.push_back(fmt::format("expectation not met: {} is {}, expected {}", each.property,
                                        to_string(property.verdict), to_string(each.verdict)));
      }
    }
    return sentences;
  }

  static void add_broken_promises(const CheckResult& result, const std::vector<ExpectedProperty>& promised,
                                  std::vector<std::string>& sentences) {
    for (const ExpectedProperty& each : promised) {
      for (const PropertyResult& found : result.properties) {
        if (found.info.name != each.name) continue;
        const auto length = found.trace ? std::optional(found.trace->length()) : std::nullopt;
        const bool same_length = !each.trace_length || length == each.trace_length;
        if (found.verdict == each.verdict && same_length) continue;
        sentences.push_back(fmt::format("{} {}, and [expect] says {}", each.name, describe(found.verdict, length),
                                        describe(each.verdict, each.trace_length)));
      }
    }
  }

  /// Whether a design file's own words on its verdicts count: within its own bounds, and unless others are given.
  bool keeps_promises(std::size_t i) const {
    return !chosen_[i]->promised.empty() && !command_.world.any() && !command_.simulate && expected_.empty();
  }

  void save_files() const {
    if (!command_.junit.empty()) write_file(command_.junit, junit());
    emit(command_.emit_sql, sql_script);
    emit(command_.emit_isolation, isolation_spec);
    if (command_.trace.empty()) return;
    for (const PropertyResult& each : results_[0].properties) {
      if (!each.trace) continue;
      write_file(command_.trace, trace_file(results_[0], chosen_[0]->design->text(), each));
      fmt::print(stderr, "the run that breaks {} is saved; `{} replay {}` takes it again\n", each.info.name,
                 program_name(), command_.trace);
      return;
    }
    fmt::print(stderr, "no counterexample, so {} was not written\n", command_.trace);
  }

  template <class Writer>
  void emit(const std::string& path, Writer writer) const {
    if (path.empty()) return;
    for (const PropertyResult& each : results_[0].properties) {
      if (!each.trace) continue;
      write_file(path, writer(*each.trace, chosen_[0]->design->text(), each.info));
      fmt::print(stderr, "the run that breaks {} is in {}\n", each.info.name, path);
      return;
    }
    fmt::print(stderr, "no counterexample, so {} was not written\n", path);
  }

  std::string junit() const {
    std::vector<JUnitSuite> suites;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      JUnitSuite suite{results_[i].design, results_[i].seconds, {}};
      for (const PropertyResult& each : results_[i].properties) suite.cases.push_back(junit_case(i, each));
      suites.push_back(std::move(suite));
    }
    return junit_report(suites);
  }

  JUnitCase junit_case(std::size_t i, const PropertyResult& each) const {
    using Outcome = JUnitCase::Outcome;
    JUnitCase result;
    result.name = std::string(each.info.name);
    result.message = to_string(each.verdict);
    if (each.trace) {
      result.message += fmt::format(" in {}: {}", steps_text(each.trace->length()), why_bad(*each.trace, each.info));
      result.details = story(*each.trace, true, {});
    }
    const bool asked = expected_of_catalogue(i) || expected_verdict(each);
    if (const std::optional<std::string> difference = difference_from_expected(i, each)) {
      result.outcome = Outcome::failed;
      result.message = fmt::format("{}, but expected {}", to_string(each.verdict), *difference);
    } else if (each.verdict == Verdict::not_applicable) {
      result.outcome = Outcome::skipped;
    } else if (asked || each.verdict == Verdict::holds) {
      result.outcome = Outcome::passed;
    } else if (!expected_.empty()) {
      result.outcome = Outcome::skipped;  // the exit code does not depend on it either
      result.message = fmt::format("{}, and nothing was expected of it", to_string(each.verdict));
    } else if (each.verdict == Verdict::violated) {
      result.outcome = Outcome::failed;
    } else {
      result.outcome = Outcome::error;
      result.message += results_[i].simulation ? std::string(": walks never show that it holds")
                                               : fmt::format(": stopped by {}", to_string(results_[i].stopped_by));
    }
    return result;
  }

  /// Whether result `i` is compared with what the catalogue says of it.
  bool expected_of_catalogue(std::size_t i) const { return command_.all && chosen_[i]->expectation; }

  std::optional<Verdict> expected_verdict(const PropertyResult& each) const {
    const auto found = std::find_if(expected_.begin(), expected_.end(),
                                    [&](const Expected& e) { return e.property == each.info.name; });
    return found == expected_.end() ? std::nullopt : std::optional(found->verdict);
  }

  /// What was expected of a property of result `i`, where it is not so.
  std::optional<std::string> difference_from_expected(std::size_t i, const PropertyResult& each) const {
    if (expected_of_catalogue(i)) {
      if (!is_expected(each, *chosen_[i]->expectation)) return "what expected.json says";
      return std::nullopt;
    }
    const std::optional<Verdict> expected = expected_verdict(each);
    if (!expected || *expected == each.verdict) return std::nullopt;
    return to_string(*expected);
  }

  int verdict() const {
    const auto worse = [](int a, int b) {
      const bool safety = a == exit_codes::violated || b == exit_codes::violated;
      return safety ? exit_codes::violated : std::max(a, b);
    };
    int code = exit_codes::all_hold;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (!unmet(i).empty()) return exit_codes::usage;
      if (expected_.empty() && !expected_of_catalogue(i) && !keeps_promises(i))
        code = worse(code, exit_code(results_[i]));
    }
    return code;
  }

  const InterruptGuard guard_;  // first of all
  const Catalogue& catalogue_;
  const CheckCommand& command_;
  std::vector<Expected> expected_;
  std::vector<const CatalogueEntry*> chosen_;
  std::vector<CheckResult> results_;
};

}  // namespace

int check_command(const Catalogue& catalogue, const CheckCommand& command) {
  return CheckRun(catalogue, command).run();
}

}  // namespace fencecheck
