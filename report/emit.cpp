#include <fencecheck/report/emit.h>

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <vector>

#include <fencecheck/report/boundary.h>
#include <fencecheck/report/story.h>

namespace fencecheck {
namespace {

std::string commented(const std::string& text, const char* mark = "--") {
  std::string out;
  for (const std::string& line : wrapped(text, 116)) out += fmt::format("{} {}\n", mark, line);
  return out;
}

std::string head(const ToldRun& run, const DesignText& design, const PropertyInfo& violated, const char* mark) {
  return commented(fmt::format("{}: {} is violated in {}.", design.name, violated.name, steps_text(run.length())),
                   mark) +
         commented(why_bad(run, violated), mark);
}

std::string ended(const std::string& statement) { return statement.ends_with(";") ? statement : statement + ";"; }

/// What is typed: where the session was cut off, what a client does that is turned away.
std::string typed(const StatementTold& told) { return ended(told.source.empty() ? "ROLLBACK" : told.text); }

std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// What happens in a step beside its statements: a grant, an expiry.
std::string note_of(const ToldRun& run, const StepTold& step) {
  if (step.granted) {
    return fmt::format("{} is granted lease {}, token {}", worker_name(step.move.actor), grant_name(run, step.lease),
                       step.granted_token);
  }
  return step.move.actor < 0 ? step.action : fmt::format("{}: {}", worker_name(step.move.actor), step.action);
}

/// "account" for "CREATE TABLE account (…": what is to be dropped afterwards.
std::vector<std::string> created_tables(const std::vector<std::string>& setup) {
  static const std::regex create(R"(^\s*create\s+table\s+(?:if\s+not\s+exists\s+)?([A-Za-z_][A-Za-z0-9_]*))",
                                 std::regex::icase);
  std::vector<std::string> tables;
  for (const std::string& statement : setup) {
    std::smatch match;
    if (std::regex_search(statement, match, create)) tables.push_back(match[1]);
  }
  return tables;
}

}  // namespace

std::string sql_script(const ToldRun& run, const DesignText& design, const PropertyInfo& violated) {
  std::string out = head(run, design, violated, "--");
  out += commented(
      "Open a terminal for each worker and type the statements in this order, each where it says; the answer is beside "
      "it. "
      "What waits in one terminal goes on when another one lets it.");
  out += "\n-- once, in any terminal, on an empty database\n";
  for (const std::string& each : design.store_setup) out += ended(each) + "\n";
  if (!design.store_session.empty()) out += "\n-- first of all in each terminal\n" + ended(design.store_session) + "\n";
  for (int i = 0; i < run.length(); ++i) {
    const StepTold& step = run.steps[static_cast<std::size_t>(i)];
    out += fmt::format("\n-- step {}: {}\n", i + 1, note_of(run, step));
    if (step.kind == ActionKind::sent_late) out += "-- (nothing is typed yet: it arrives in a later step)\n";
    for (const StatementTold& each : step.statements) {
      const std::string answer = each.answer.empty() ? "" : "   -- " + on_one_line(each.answer);
      const std::string where = each.worker < 0 ? "another terminal" : "terminal " + worker_name(each.worker);
      // What was blocked has been typed already.
      const bool goes_on = each.worker >= 0 && each.worker != step.move.actor;
      if (goes_on) {
        out += fmt::format("-- {} goes on: {}\n", where, on_one_line(each.answer));
      } else {
        out += fmt::format("-- {}\n{}{}\n", where, typed(each), answer);
      }
    }
  }
  return out;
}

std::string isolation_spec(const ToldRun& run, const DesignText& design, const PropertyInfo& violated) {
  std::string out = head(run, design, violated, "#");
  out += "\nsetup\n{\n";
  for (const std::string& each : design.store_setup) out += "  " + ended(each) + "\n";
  out += "}\n\nteardown\n{\n";
  for (const std::string& table : created_tables(design.store_setup)) out += "  DROP TABLE " + table + ";\n";
  out += "}\n";
  std::string permutation = "permutation";
  std::vector<std::string> sessions(run.initial.workers.size() + 1);  // the last one is nobody's
  for (int i = 0; i < run.length(); ++i) {
    const StepTold& step = run.steps[static_cast<std::size_t>(i)];
    int part = 0;
    for (const StatementTold& each : step.statements) {
      if (each.worker >= 0 && each.worker != step.move.actor) continue;  // goes on by itself
      const std::size_t session = each.worker < 0 ? sessions.size() - 1 : static_cast<std::size_t>(each.worker);
      const std::string name =
          fmt::format("{}{}{}", each.worker < 0 ? "x" : std::string(1, static_cast<char>('a' + each.worker)), i + 1,
                      part == 0 ? "" : std::string(1, static_cast<char>('a' + part)));
      sessions[session] += fmt::format("step {} {{ {} }}\n", name, typed(each));
      permutation += " " + name;
      ++part;
    }
  }
  for (std::size_t s = 0; s < sessions.size(); ++s) {
    if (sessions[s].empty()) continue;
    const std::string name =
        s + 1 == sessions.size() ? "outside" : "worker_" + std::string(1, static_cast<char>('a' + s));
    out += fmt::format("\nsession {}\n", name);
    if (!design.store_session.empty()) out += fmt::format("setup {{ {} }}\n", ended(design.store_session));
    out += sessions[s];
  }
  return out + "\n" + permutation + "\n";
}

}  // namespace fencecheck
