#include <fencecheck/report/story.h>

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include <fencecheck/report/boundary.h>

namespace fencecheck {
namespace {

constexpr std::size_t number_width = 6;

}  // namespace

std::string plural(std::uint64_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string steps_text(int count) { return plural(static_cast<std::uint64_t>(count), "step"); }

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    std::string word = text.substr(at, end - at);
    at = end + 1;
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      lines.push_back(line);
      line = "  ";  // a line that goes on is set in
    } else if (!line.empty()) {
      line += ' ';
    }
    line += word;
    while (line.size() > width) {
      lines.push_back(line.substr(0, width));
      line = "  " + line.substr(width);
    }
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

namespace {

class Painter {
 public:
  explicit Painter(bool color) : color_(color) {}
  std::string bold(const std::string& text) const { return paint("1", text); }
  std::string bad(const std::string& text) const { return paint("1;31", text); }
  std::string good(const std::string& text) const { return paint("32", text); }
  std::string faint(const std::string& text) const { return paint("2", text); }

 private:
  std::string paint(const char* code, const std::string& text) const {
    return color_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
  }
  bool color_;
};

/// Lays a run out in lanes.
class Lanes {
 public:
  Lanes(const ToldRun& run, bool bad, const Painter& painter) : run_(run), bad_(bad), painter_(painter) {
    for (std::size_t w = 0; w < run.initial.workers.size(); ++w) {
      const bool moves = std::any_of(run.steps.begin(), run.steps.end(),
                                     [&](const StepTold& step) { return step.move.actor == static_cast<int>(w); });
      if (moves) workers_.push_back(static_cast<int>(w));
    }
    const std::size_t lanes = workers_.size() + run.initial.components.size();
    width_ = std::clamp<std::size_t>((page_width - number_width) / lanes - 2, 14, 34);
  }

  std::string text() {
    row("step", header(), false);
    out_ += "  " + std::string(std::min(page_width, number_width + lanes() * (width_ + 2)) - 4, '-') + "\n";
    row("start", initial(), false);
    for (int i = 0; i < run_.length(); ++i) {
      const bool marked = bad_ && i + 1 == run_.length();
      row(fmt::format("{}{}", i + 1, marked ? " !!" : ""), cells(run_.steps[static_cast<std::size_t>(i)]), marked);
    }
    if (!run_.grants.empty()) {
      out_ += fmt::format("  (issuer: the lock service; {}: lease {}, granted to worker {}{}.)\n", grant_name(run_, 1),
                          1, worker_name(run_.grants[0].worker),
                          any_value() ? "; a value is named after the lease that wrote it" : "");
    }
    return out_;
  }

 private:
  using Cells = std::vector<std::vector<std::string>>;  // for each lane its lines

  std::size_t lanes() const { return workers_.size() + run_.initial.components.size(); }
  std::size_t component_lane(std::size_t component) const { return workers_.size() + component; }
  std::size_t worker_lane(int worker) const {
    return static_cast<std::size_t>(std::find(workers_.begin(), workers_.end(), worker) - workers_.begin());
  }

  bool any_value() const {
    return std::any_of(run_.initial.components.begin(), run_.initial.components.end(), [](const ComponentTold& each) {
      return std::any_of(each.fields.begin(), each.fields.end(),
                         [](const FieldTold& field) { return field.type == "value"; });
    });
  }

  // "-" reads badly before an arrow.
  std::string told(const FieldTold& field) const {
    const std::string text = field_text(run_, field);
    return text == "-" ? "none" : text;
  }

  void add(std::vector<std::string>& cell, const std::string& text) const {
    for (const std::string& line : wrapped(text, width_)) cell.push_back(line);
  }

  Cells header() const {
    Cells cells(lanes());
    for (const int worker : workers_) {
      const std::string& name = run_.initial.workers[static_cast<std::size_t>(worker)].name;
      add(cells[worker_lane(worker)], name.empty() ? "worker " + worker_name(worker) : name);
    }
    for (std::size_t c = 0; c < run_.initial.components.size(); ++c) {
      add(cells[component_lane(c)], run_.initial.components[c].name);
    }
    return cells;
  }

  Cells initial() const {
    Cells cells(lanes());
    for (std::size_t c = 0; c < run_.initial.components.size(); ++c) {
      for (const FieldTold& field : run_.initial.components[c].fields) {
        add(cells[component_lane(c)], field.name + " " + told(field));
      }
    }
    return cells;
  }

  Cells cells(const StepTold& step) const {
    Cells cells(lanes());
    if (step.move.actor >= 0 && is_visit(step.kind)) {
      tell_worker(step, cells[worker_lane(step.move.actor)]);
    } else if (step.move.actor >= 0) {
      add(cells[worker_lane(step.move.actor)],
          step.kind == ActionKind::sent_late ? step.action : "** " + step.action + " **");
    } else if (step.kind == ActionKind::arrival) {
      std::vector<std::string>& cell = cells[component_lane(static_cast<std::size_t>(step.components[0]))];
      add(cell, "** late: " + step.arrived + " **");
      tell_statements(step, step.move.actor, cell);
      tell_request(step, cell);
    } else {
      std::vector<std::string>& cell = cells[component_lane(static_cast<std::size_t>(step.components[0]))];
      add(cell, "** " + step.action + " **");
      tell_statements(step, step.move.actor, cell);
    }
    for (std::size_t c = 0; c < step.after.components.size(); ++c) {
      for (const std::string& change : changes(step, c)) add(cells[component_lane(c)], change);
    }
    for (const int worker : workers_) {
      if (worker == step.move.actor) continue;
      tell_statements(step, worker, cells[worker_lane(worker)]);
      tell_clocks(step, worker, cells[worker_lane(worker)]);
    }
    return cells;
  }

  // Time passes in a worker's memory without a step of the worker.
  void tell_clocks(const StepTold& step, int worker, std::vector<std::string>& cell) const {
    const auto& before = step.before.workers[static_cast<std::size_t>(worker)].memory;
    const auto& after = step.after.workers[static_cast<std::size_t>(worker)].memory;
    for (std::size_t f = 0; f < after.size(); ++f) {
      if (after[f] == before[f]) continue;
      add(cell, fmt::format("{} {} -> {}", after[f].name, told(before[f]), told(after[f])));
    }
  }

  // Nothing where the lock service hands out no tokens.
  static std::string token_text(int token) { return token == 0 ? "" : fmt::format(", token {}", token); }

  // What went to a real store, and what came back.
  void tell_statements(const StepTold& step, int worker, std::vector<std::string>& cell) const {
    for (const StatementTold& each : step.statements) {
      if (each.worker != worker) continue;
      add(cell, "> " + each.text);
      if (!each.answer.empty()) add(cell, "< " + each.answer);
    }
  }

  void tell_worker(const StepTold& step, std::vector<std::string>& cell) const {
    add(cell, step.action);
    tell_statements(step, step.move.actor, cell);
    if (step.granted) {
      const GrantTold& grant = run_.grants[static_cast<std::size_t>(step.lease - 1)];
      add(cell, fmt::format("= {}{}{}", grant_name(run_, step.lease), token_text(grant.token),
                            step.lease <= step.before.newest_lease ? ", again" : ""));
      tell_memory(step, cell);
      return;
    }
    tell_request(step, cell);
  }

  // What the worker sends, as far as it is not what one expects of every request.
  std::string sent_text(const StepTold& step) const {
    std::string text = step.lease == 0 ? "" : "as " + grant_name(run_, step.lease);
    text += token_text(sent_token(step));
    const auto id = std::find_if(step.sent.begin(), step.sent.end(),
                                 [](const FieldTold& field) { return field.type == "request id"; });
    if (step.manner.operation() == 2) text += ", its second request";
    const bool at_store = !step.components.empty() && step.components.back() != 0;
    if (at_store && id != step.sent.end() && id->number != 0) text += ", id " + field_text(run_, *id);
    if (step.manner.changed_payload) text += ", another payload";
    return text.starts_with(", ") ? text.substr(2) : text;
  }

  void tell_request(const StepTold& step, std::vector<std::string>& cell) const {
    if (const std::string sent = sent_text(step); !sent.empty()) add(cell, sent);
    for (const GuardTold& guard : step.guards) {
      add(cell, fmt::format("{} {}", guard.passed ? "yes:" : "NO:", guard.name));
    }
    if (step.move.actor < 0) {
      add(cell, "= " + step.reply);
      return;
    }
    tell_memory(step, cell);
    if (step.reply != "next") add(cell, "= " + step.reply);
  }

  void tell_memory(const StepTold& step, std::vector<std::string>& cell) const {
    const WorkerTold& before = step.before.workers[static_cast<std::size_t>(step.move.actor)];
    const WorkerTold& after = step.after.workers[static_cast<std::size_t>(step.move.actor)];
    for (std::size_t f = 0; f < after.memory.size(); ++f) {
      if (after.memory[f] == before.memory[f] || (before.lease != 0 && after.lease == 0)) continue;
      add(cell, fmt::format("remembers {} {}", after.memory[f].name, told(after.memory[f])));
    }
  }

  std::vector<std::string> changes(const StepTold& step, std::size_t component) const {
    std::vector<std::string> lines;
    const auto& before = step.before.components[component].fields;
    const auto& after = step.after.components[component].fields;
    const bool written =
        std::find(step.wrote.begin(), step.wrote.end(), static_cast<int>(component) - 1) != step.wrote.end();
    // A write of the value that was there already changes nothing that shows, and is told all the same.
    const auto is_value = [](const FieldTold& field) { return field.type == "value"; };
    bool shows = !written;
    for (std::size_t f = 0; f < after.size(); ++f) shows |= is_value(after[f]) && after[f] != before[f];
    for (std::size_t f = 0; f < after.size(); ++f) {
      const bool same = after[f] == before[f];
      if (same && (shows || !is_value(after[f]))) continue;
      lines.push_back(fmt::format("{} {} -> {}", after[f].name, told(before[f]), told(after[f])));
    }
    return lines;
  }

  void row(const std::string& number, const Cells& cells, bool marked) {
    std::size_t height = 1;
    for (const auto& cell : cells) height = std::max(height, cell.size());
    for (std::size_t line = 0; line < height; ++line) {
      std::string text = fmt::format("  {:<{}}", line == 0 ? number : "", number_width);
      for (const auto& cell : cells) {
        text += fmt::format("{:<{}}  ", line < cell.size() ? cell[line] : "", width_);
      }
      text.erase(text.find_last_not_of(' ') + 1);
      out_ += (marked ? painter_.bad(text) : text) + "\n";
    }
  }

  const ToldRun& run_;
  bool bad_;
  const Painter& painter_;
  std::vector<int> workers_;
  std::size_t width_ = 0;
  std::string out_;
};

std::string paragraph(const std::string& label, const std::string& text) {
  constexpr std::size_t indent = 2;
  const std::vector<std::string> lines = wrapped(label + " " + text, page_width - indent);
  std::string out;
  for (const std::string& line : lines) out += "  " + line + "\n";
  return out;
}

/// The faults that can happen to a real store and that the bounds leave out: a `holds` says nothing of them.
std::string not_tried(const Bounds& bounds, const DesignText& design) {
  std::string text;
  for (const Fault fault : design.faults) {
    if (bounds.*text_of(fault).budget == 0)
      text += fmt::format("{}--{}", text.empty() ? "" : ", ", text_of(fault).plural);
  }
  return text;
}

std::string searched(const CheckResult& result) {
  if (result.simulation) {
    return fmt::format(
        "{} with seed {}, {}; the longest took {}. Walks are samples: they can find a violation, "
        "and never show that there is none.",
        plural(result.simulation->walks, "random walk"), result.simulation->seed,
        plural(result.simulation->steps, "step"), plural(static_cast<std::uint64_t>(result.depth), "step"));
  }
  std::string text = fmt::format("{}, {}, depth {}", plural(result.states, "state"),
                                 plural(result.transitions, "transition"), result.depth);
  if (result.symmetry) {
    text += fmt::format(" (workers interchangeable: they stand for {} states, {} transitions)", result.full_states,
                        result.full_transitions);
  }
  if (result.complete) return text + "; the whole space within the bounds was visited.";
  return text + fmt::format("; NOT the whole space: stopped by {}.", to_string(result.stopped_by));
}

/// What a pass rests on beside its bounds: where tokens are handed out, that nobody makes one up.
bool assumes_honest_tokens(const CheckResult& result, const DesignText& design) {
  const bool holds = std::any_of(result.properties.begin(), result.properties.end(),
                                 [](const PropertyResult& each) { return each.verdict == Verdict::holds; });
  const bool tokens = std::any_of(design.properties.begin(), design.properties.end(), [](const PropertyText& each) {
    return each.info.subject == Subject::new_grant && each.applies;
  });
  return holds && tokens && result.bounds.forged_tokens == 0;
}

std::string verdict_line(const PropertyResult& each, const Painter& painter) {
  const std::string name = fmt::format("{:<32}", each.info.name);
  switch (each.verdict) {
    case Verdict::holds: {
      if (each.vacuous) return name + painter.good("holds") + ", vacuously: its situation never arose";
      return name + painter.good("holds") + "; witness: " + steps_text(each.witness_length.value_or(0));
    }
    case Verdict::violated: return name + painter.bad("VIOLATED in " + steps_text(each.trace->length()));
    case Verdict::unknown:
      return name + painter.bold("unknown") +
             (each.info.subject == Subject::liveness ? ": too many states for its graph, or the search was stopped"
                                                     : "");
    case Verdict::not_applicable: break;
  }
  return name + painter.faint(fmt::format("not applicable: it needs {}", each.info.needs));
}

}  // namespace

std::string fault_name(const FaultText& fault, int count) {
  std::string name(count == 1 ? fault.noun : fault.plural);
  std::replace(name.begin(), name.end(), '-', ' ');
  return name;
}

std::string file_key(const FaultText& fault) {
  std::string key(fault.plural);
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

std::string bounds_text(const Bounds& bounds) {
  const auto count_of = [&](const FaultText& fault) {
    const int count = bounds.*fault.budget;
    return fmt::format("{} {}", count, fault_name(fault, count));
  };
  std::string text = fmt::format("{}, {}, {}, {}, {}", plural(static_cast<std::uint64_t>(bounds.workers), "worker"),
                                 plural(static_cast<std::uint64_t>(bounds.leases), "lease"),
                                 bounds.expiry ? "leases may expire" : "leases never expire",
                                 count_of(text_of(Fault::issuer_restore)), count_of(text_of(Fault::store_restore)));
  for (std::size_t f = static_cast<std::size_t>(Fault::crash); f < fault_count; ++f) {
    if (bounds.*faults[f].budget != 0) text += ", " + count_of(faults[f]);
  }
  return text;
}

std::string story(const ToldRun& run, bool bad, const TextStyle& style) {
  const Painter painter(style.color);
  return Lanes(run, bad, painter).text();
}

std::string text_report(const CheckResult& result, const DesignText& design, const TextStyle& style) {
  const Painter painter(style.color);
  std::string out = painter.bold(result.design) + (design.summary.empty() ? "" : ": " + design.summary) + "\n";
  out += paragraph("bounds   ", bounds_text(result.bounds));
  if (!result.switches.empty()) {
    std::string switches;
    for (const auto& [name, value] : result.switches) switches += fmt::format("{}={} ", name, value);
    switches.pop_back();
    out += "  switches  " + switches + "\n";
  }
  out += paragraph("searched ", searched(result));
  if (!result.account.empty()) {
    out += paragraph("store    ", result.account);
    if (const std::string left_out = not_tried(result.bounds, design); !left_out.empty())
      out += paragraph("not tried", left_out);
  }
  if (assumes_honest_tokens(result, design)) out += paragraph("assumes  ", "tokens come from the issuer alone");
  out += "\n";
  for (const PropertyResult& each : result.properties) out += "  " + verdict_line(each, painter) + "\n";
  for (const PropertyResult& each : result.properties) {
    if (each.trace) {
      out +=
          fmt::format("\n{} {} in {}\n", each.info.name, painter.bad("is violated"), steps_text(each.trace->length()));
      out += paragraph("Claim:", std::string(each.info.claim)) + "\n";
      out += story(*each.trace, true, style) + "\n";
      out += paragraph("Why this is bad:", why_bad(*each.trace, each.info));
      out += paragraph("The boundary that failed:", failed_boundary(*each.trace, each.info));
      const std::vector<std::string> held = what_held(*each.trace, design.properties, each.info);
      if (!held.empty()) out += paragraph("What held:", fmt::format("{}", fmt::join(held, " ")));
    }
    if (each.witness && style.witnesses) {
      out += fmt::format("\n{} {}; its situation, met and handled in {}\n", each.info.name, painter.good("holds"),
                         steps_text(each.witness->length()));
      out += paragraph("Situation:", std::string(each.info.situation)) + "\n";
      out += story(*each.witness, false, style);
    }
  }
  return out;
}

}  // namespace fencecheck
