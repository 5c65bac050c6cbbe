#include <fencecheck/report/boundary.h>

#include <fmt/core.h>
#include <fmt/format.h>
#include <boost/algorithm/string/replace.hpp>

#include <algorithm>
#include <optional>

namespace fencecheck {
namespace {

constexpr int the_issuer = 0;

/// What a step changed, or else visited last.
std::string component_of(const StepTold& step) {
  if (step.wrote.empty() && step.components.empty()) return "the worker's memory";
  const int which = step.wrote.empty() ? step.components.back() : step.wrote.back() + 1;
  return with_article(step.before.components[static_cast<std::size_t>(which)].name);
}

/// The last step of a run, and what led up to it.
class BadStep {
 public:
  explicit BadStep(const ToldRun& run) : run_(run), step_(run.steps.back()), number_(run.length()) {}

  const StepTold& step() const { return step_; }
  int number() const { return number_; }
  std::string worker() const {
    if (step_.move.actor >= 0) {
      const bool named = !step_.before.workers[static_cast<std::size_t>(step_.move.actor)].name.empty();
      return (named ? "the " : "") + actor_name(step_.before, step_.move.actor);
    }
    return step_.lease == 0 ? "a late request"
                            : worker_name(run_.grants[static_cast<std::size_t>(step_.lease - 1)].worker);
  }
  std::string grant() const { return step_.lease == 0 ? "no lease" : grant_name(run_, step_.lease); }
  std::string component() const { return component_of(step_); }
  int token() const {
    if (step_.granted) return run_.grants[static_cast<std::size_t>(step_.lease - 1)].token;
    return sent_token(step_);
  }

  /// The last step, up to and with the bad one, that sent a token which no lease carries; none where all did.
  std::optional<int> forged() const {
    const auto is_forged = [](const StepTold& step) { return step.lease == 0 && sent_token(step) != 0; };
    return is_forged(step_) ? number_ : last_step(is_forged);
  }

  /// Of the grants whose lease is older than `lease` and whose token is as large or larger, the one with the largest.
  std::optional<GrantTold> token_not_exceeded(int lease) const {
    const GrantTold& newer = run_.grants[static_cast<std::size_t>(lease - 1)];
    std::optional<GrantTold> largest;
    for (const GrantTold& older : run_.grants) {
      const bool exceeds = !largest || older.token > largest->token;
      if (older.lease < lease && older.token >= newer.token && exceeds) largest = older;
    }
    return largest;
  }

  /// The last step, up to and with the bad one, that changed data; the bad step where none did.
  int last_write() const {
    if (!step_.wrote.empty()) return number_;
    return last_step([](const StepTold& step) { return !step.wrote.empty(); }).value_or(number_);
  }

  /// The step, counted from 1, of the last restore of `component` before the bad step.
  std::optional<int> restored(int component) const {
    return last_step(
        [&](const StepTold& step) { return step.kind == ActionKind::restore && step.components[0] == component; });
  }

  /// The last earlier step of the same worker under the same lease that named a condition which passed.
  std::optional<int> earlier_check() const {
    return last_step([&](const StepTold& step) {
      return step.move.actor == step_.move.actor && step.lease == step_.lease && !step.granted &&
             !step.guards.empty() && step.guards.back().passed && !wrote_before(step);
    });
  }

  /// The newest lease that wrote to the store of the bad step before it.
  std::pair<int, int> newer_write() const {
    std::pair<int, int> found{0, 0};
    for (int i = 0; i + 1 < number_; ++i) {
      const StepTold& step = run_.steps[static_cast<std::size_t>(i)];
      for (const int store : step.wrote) {
        const bool same_store = !step_.wrote.empty() && store == step_.wrote.back();
        if (same_store && step.lease > found.first) found = {step.lease, i + 1};
      }
    }
    return found;
  }

  /// Whether a newer lease had left anything at the store that the bad step wrote: a write, or its token alone.
  bool newer_arrived() const {
    const std::size_t store = static_cast<std::size_t>(step_.wrote.empty() ? 1 : step_.wrote.back() + 1);
    return last_step([&](const StepTold& step) {
             return step.lease > step_.lease &&
                    step.before.components[store].fields != step.after.components[store].fields;
           })
        .has_value();
  }

  /// The step in which a request of the same lease changed the same store, and nobody was told.
  std::optional<int> own_request_unheard() const {
    const auto store = static_cast<std::size_t>(step_.components.back());
    return last_step([&](const StepTold& step) {
      const bool unheard = step.kind == ActionKind::lost_reply || step.kind == ActionKind::arrival;
      return unheard && step.lease == step_.lease &&
             step.before.components[store].fields != step.after.components[store].fields;
    });
  }

  /// The step in which the worker of the bad step last put a lock's holder into its memory, and that holder.
  std::optional<std::pair<int, int>> holder_read() const {
    if (step_.move.actor < 0) return std::nullopt;
    const auto& memory = step_.before.workers[static_cast<std::size_t>(step_.move.actor)].memory;
    for (std::size_t f = 0; f < memory.size(); ++f) {
      if (memory[f].type != "handle" || memory[f].number == 0) continue;
      const auto read = last_step([&](const StepTold& step) {
        const auto worker = static_cast<std::size_t>(step_.move.actor);
        return step.move.actor == step_.move.actor &&
               step.before.workers[worker].memory[f] != step.after.workers[worker].memory[f];
      });
      if (read) return std::pair{*read, memory[f].number};
    }
    return std::nullopt;
  }

  /// The first step in which an effect was added to that the bad step added to as well; 0: there is none.
  int effect_before() const {
    const std::vector<bool> added = effects_added(step_);
    for (int i = 1; i < number_; ++i) {
      const std::vector<bool> before = effects_added(at(i));
      for (std::size_t f = 0; f < added.size(); ++f) {
        if (added[f] && before[f] && at(i).lease == step_.lease) return i;
      }
    }
    const auto any_added = [](const StepTold& step) {
      const std::vector<bool> all = effects_added(step);
      return std::find(all.begin(), all.end(), true) != all.end();
    };
    return last_step(any_added).value_or(0);
  }

  template <class Predicate>
  std::optional<int> last_step(Predicate predicate) const {
    for (int i = number_ - 1; i > 0; --i) {
      if (predicate(run_.steps[static_cast<std::size_t>(i - 1)])) return i;
    }
    return std::nullopt;
  }

  const StepTold& at(int step) const { return run_.steps[static_cast<std::size_t>(step - 1)]; }
  const ToldRun& run() const { return run_; }

 private:
  // Of each field of each component, in order: whether it is an effect that the step added to.
  static std::vector<bool> effects_added(const StepTold& step) {
    std::vector<bool> added;
    for (std::size_t c = 0; c < step.after.components.size(); ++c) {
      const auto& after = step.after.components[c].fields;
      const auto& before = step.before.components[c].fields;
      for (std::size_t f = 0; f < after.size(); ++f) {
        added.push_back(after[f].type == "effect" && after[f].number > before[f].number);
      }
    }
    return added;
  }

  // A condition that belongs to an earlier write of the same lease says nothing of this one.
  bool wrote_before(const StepTold& step) const { return !step.wrote.empty(); }

  const ToldRun& run_;
  const StepTold& step_;
  int number_;
};

std::string replaced(std::string text, const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& [name, value] : values) boost::algorithm::replace_all(text, "{" + name + "}", value);
  return text;
}

std::string sentence(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

// What lay between an earlier step and the bad one: "steps 3 to 6 happened".
std::string happened_since(const BadStep& bad, int earlier) {
  const int first = earlier + 1;
  const int last = bad.number() - 1;
  if (first > last) return "nothing happened";
  if (first == last) return fmt::format("step {} happened", first);
  return fmt::format("steps {} {} {} happened", first, first + 1 == last ? "and" : "to", last);
}

constexpr const char* known_from_arrival =
    "a token that was granted is known to a store only from its first arrival there. Registering it at the store as "
    "part of the grant closes this gap; a later step does not.";

// A comparison that was made in a step before the one that acted on it.
std::string too_early(const BadStep& bad, int check) {
  const StepTold& checked = bad.at(check);
  std::string text = fmt::format(
      "the comparison comes too early: \"{}\" was true in step {}, at {}, and {} before step {} acted on it.",
      checked.guards.back().name, check, with_article(component_names(checked)), happened_since(bad, check),
      bad.number());
  if (checked.components[0] == the_issuer && bad.step().components[0] != the_issuer) {
    return text + fmt::format(
                      " A yes from the lock service is about the moment of the question; only {} itself can "
                      "compare in the moment of the change.",
                      bad.component());
  }
  text += bad.step().statements.empty()
              ? " Compare and act have to be one step."
              : " Compare and act have to be one statement, or nobody may come in between: a lock on what was read, or "
                "a transaction that fails when it has changed.";
  if (bad.step().wrote.empty() || bad.newer_arrived()) return text;
  return text + fmt::format(" Here even that would not do, since nothing newer had reached {}: {}", bad.component(),
                            known_from_arrival);
}

std::string write_boundary(const BadStep& bad) {
  if (bad.step().guards.empty()) {
    if (const auto check = bad.earlier_check()) return too_early(bad, *check);
    std::string text = fmt::format(
        "there is no comparison: {} takes whatever reaches it. It must compare the token with the highest it has "
        "seen, in the step that writes.",
        bad.component());
    if (bad.newer_arrived()) return text;
    return text + fmt::format(" Here even that would not do, since nothing newer had reached {}: {}", bad.component(),
                              known_from_arrival);
  }
  const std::string condition = bad.step().guards.back().name;
  if (bad.forged() == bad.number()) {
    return fmt::format(
        "{} compares, and the token is forged: no lock service handed out {}. A comparison is worth as much as the "
        "tokens are: the store has to be able to tell who made them.",
        bad.component(), bad.token());
  }
  // What acts without a lease, such as a person, was granted no token.
  const int own = bad.step().lease == 0 ? 0 : bad.run().grants[static_cast<std::size_t>(bad.step().lease - 1)].token;
  if (bad.token() != own) {
    return fmt::format(
        "{} compares token {}, which is not the one that {} carries ({}): what is sent has to be what was granted.",
        bad.component(), bad.token(), bad.grant(), own);
  }
  const int store = bad.step().wrote.empty() ? 1 : bad.step().wrote.back() + 1;
  if (const auto restore = bad.restored(store)) {
    return fmt::format(
        "{} compares, but it has forgotten: its restore in step {} took the highest token it had seen back, so "
        "\"{}\" was true again.",
        bad.component(), *restore, condition);
  }
  if (const auto restore = bad.restored(the_issuer)) {
    return fmt::format(
        "{} compares, but the tokens prove nothing: since the lock service was restored in step {} it hands out "
        "numbers again that older leases carry, and \"{}\" cannot tell them apart.",
        bad.component(), *restore, condition);
  }
  if (!bad.newer_arrived()) {
    return fmt::format("{} compares, but nothing newer had reached it: {}", bad.component(), known_from_arrival);
  }
  if (const int newer = bad.newer_write().first; newer != 0 && own != 0) {
    if (const auto older = bad.token_not_exceeded(newer)) {
      return fmt::format(
          "{} compares, but the tokens prove nothing: the newer {} carries token {}, and {} before it carries {}. The "
          "lock service does not count upwards over its whole life.",
          bad.component(), grant_name(bad.run(), newer), bad.run().grants[static_cast<std::size_t>(newer - 1)].token,
          grant_name(bad.run(), older->lease), older->token);
    }
  }
  return fmt::format("{} compares something that does not order leases: \"{}\" was true for the older one.",
                     bad.component(), condition);
}

std::string release_boundary(const BadStep& bad) {
  if (!bad.step().guards.empty()) {
    const std::string condition = bad.step().guards.back().name;
    const std::string holder = grant_name(bad.run(), bad.step().before.holder);
    const auto read = bad.holder_read();
    if (read && read->second == bad.step().lease) {
      return fmt::format(
          "what is compared was read too early: in step {}, and {} before step {} acted on it. So \"{}\" was true, and "
          "the lock was {}'s all the same. Read, compare and release have to be one step.",
          read->first, happened_since(bad, read->first), bad.number(), condition, holder);
    }
    const std::string memory = read ? fmt::format(" but what was read in step {}", read->first) : "";
    return fmt::format(
        "what is compared is not the worker's own grant{}: \"{}\" was true, and the lock was {}'s all the same. The "
        "release must compare the holder with the caller's own handle.",
        memory.empty() ? "" : "," + memory, condition, holder);
  }
  if (const auto check = bad.earlier_check()) return too_early(bad, *check);
  return "there is no comparison: the release deletes the lock by its name, whoever holds it. It must compare the "
         "holder with the caller's own handle and delete in one step.";
}

std::string refusal_boundary(const BadStep& bad) {
  const std::string condition = bad.step().guards.empty() ? "the token is current" : bad.step().guards.back().name;
  if (const auto restore = bad.restored(the_issuer)) {
    return fmt::format(
        "issuer and store no longer agree: since the lock service was restored in step {} it hands out tokens that are "
        "not above what {} has seen by now, so \"{}\" is false for the newest owner of all.",
        *restore, bad.component(), condition);
  }
  const int store = bad.step().components.back();
  if (const auto restore = bad.restored(store)) {
    return fmt::format(
        "since {} was restored in step {}, what it holds and the tokens that are handed out no longer agree, so \"{}\" "
        "is false for the newest owner of all.",
        bad.component(), *restore, condition);
  }
  if (const auto unheard = bad.own_request_unheard()) {
    return fmt::format(
        "{} does not know a repeated request: {}'s own one was carried out in step {}, and the worker never learned of "
        "it. It has to be answered as it was then.",
        bad.component(), bad.grant(), *unheard);
  }
  const auto& fields = bad.step().before.components[static_cast<std::size_t>(store)].fields;
  const bool equal = std::any_of(fields.begin(), fields.end(), [&](const FieldTold& field) {
    return field.type == "token" && field.number == bad.token() && field.number != 0;
  });
  if (equal) {
    return fmt::format(
        "an equal token is taken for an old one: \"{}\" is false although token {} is this owner's own, known to "
        "{} already.",
        condition, bad.token(), bad.component());
  }
  if (const auto forged = bad.forged()) {
    return fmt::format(
        "{} compares with a token that no lock service handed out and that it took in step {}: no owner can exceed it. "
        "A comparison is worth as much as the tokens are: the store has to be able to tell who made them.",
        bad.component(), *forged);
  }
  if (const auto older = bad.token() == 0 ? std::nullopt : bad.token_not_exceeded(bad.step().lease)) {
    return fmt::format(
        "the tokens prove nothing: {} carries token {}, and the older {} carried {}. The lock service does not count "
        "upwards over its whole life, so \"{}\" is false for the newest owner of all.",
        bad.grant(), bad.token(), grant_name(bad.run(), older->lease), older->token, condition);
  }
  return fmt::format("\"{}\" does not ask who is newer, so it turns the newest owner away as well.", condition);
}

std::string grant_boundary(const BadStep& bad) {
  if (const auto restore = bad.restored(the_issuer)) {
    return fmt::format(
        "the counter went back: the lock service was restored in step {} and nothing durable told it which tokens it "
        "had handed out since its backup.",
        *restore);
  }
  return "the lock service does not count upwards over its whole life.";
}

std::string effect_boundary(const BadStep& bad) {
  if (bad.step().guards.empty()) {
    return fmt::format(
        "{} does not ask whether the operation was done before: it must look its id up, and record it, in the step "
        "that "
        "has the effect.",
        bad.component());
  }
  return fmt::format(
      "\"{}\" was true although the operation had been done: what {} knows of it was under another name, in another "
      "place, or cleaned up.",
      bad.step().guards.back().name, bad.component());
}

std::string answer_boundary(const BadStep& bad) {
  const std::string& reply = bad.step().reply;
  if (reply == "unknown") {
    return "a refusal is told as a time-out: the caller cannot tell \"you are fenced\" from \"try again\".";
  }
  if (reply == "duplicate") {
    return "the caller is told that its operation is done, and it is not in the data, or not any more. The record of "
           "what "
           "was done has to be in one transaction with the effect, and the token compared before it is looked up.";
  }
  if (reply == "accepted") return "nothing of this request is in the data, and the caller is told that all of it is.";
  if (!bad.step().wrote.empty()) return "the caller is told that nothing happened, and its write is in the data.";
  return "the conflict is with the caller's own first attempt, whose reply was lost; it is told as somebody else's.";
}

std::string decision_boundary(const BadStep& bad) {
  if (bad.step().guards.empty()) {
    return "there is no comparison: the row is changed by its id, whatever has become of it since it was read. The "
           "change must compare what was read, in the same step.";
  }
  return fmt::format("\"{}\" was true, and it does not say that the row is still what was read.",
                     bad.step().guards.back().name);
}

// Whether any store is another one after the step.
bool component_changed(const StepTold& step) {
  for (std::size_t c = the_issuer + 1; c < step.after.components.size(); ++c) {
    if (step.before.components[c].fields != step.after.components[c].fields) return true;
  }
  return !step.wrote.empty();
}

std::string reader_boundary(const BadStep& bad) {
  if (bad.step().kind == ActionKind::restore) return fmt::format("{} came back with older content.", bad.component());
  const bool changed = component_changed(bad.step());
  if (!is_visit(bad.step().kind) && changed) {
    return "what is read was taken away, and nothing that is kept says that it is needed.";
  }
  // What readers see may be bad since an earlier step, and only now is nobody there to mend it.
  const int number = changed ? bad.number() : bad.last_write();
  const StepTold& step = bad.at(number);
  if (step.guards.empty()) {
    return fmt::format("there is no comparison: step {} changes {} in place, whatever readers put beside it.", number,
                       component_of(step));
  }
  return fmt::format(
      "\"{}\" in step {} is about {} alone; what readers put beside it is changed in other steps, or by "
      "others.",
      step.guards.back().name, number, component_of(step));
}

std::string belief_boundary(const BadStep& bad) {
  switch (bad.step().kind) {
    case ActionKind::expiry: return "the worker's own end of the lease comes after the lock service's.";
    case ActionKind::restore:
    case ActionKind::lock_loss: return "the lock service forgot the holder, and nobody told the holder.";
    default: return "the worker goes by what it believes, and nothing has told it that the lock is not its own.";
  }
}

std::string second_holder_boundary(const BadStep& bad) {
  const auto forgot = bad.last_step([](const StepTold& step) {
    return !is_visit(step.kind) && step.kind != ActionKind::expiry &&
           step.before.components[the_issuer].fields != step.after.components[the_issuer].fields;
  });
  if (!forgot) return "the lock service granted the lock without regard to a lease that was still running.";
  return fmt::format("what the lock service knew of the earlier lease was lost in step {} (\"{}\").", *forgot,
                     bad.at(*forgot).action);
}

std::string any_boundary(const BadStep& bad) {
  if (!bad.step().guards.empty()) {
    return fmt::format("the step decided by \"{}\" alone.", bad.step().guards.back().name);
  }
  if (const auto check = bad.earlier_check()) return too_early(bad, *check);
  return "the step decided by no condition at all.";
}

}  // namespace

std::string why_bad(const ToldRun& run, const PropertyInfo& property) {
  const BadStep bad(run);
  if (property.violation.empty()) return fmt::format("step {} breaks the claim: {}", bad.number(), property.claim);
  const auto [newer, newer_step] = bad.newer_write();
  const int newest = bad.step().after.newest_lease;
  int highest_token = 0;
  int newest_step = 0;
  for (const GrantTold& grant : run.grants) {
    if (grant.step < bad.number()) highest_token = std::max(highest_token, grant.token);
    if (grant.lease == newest) newest_step = grant.step;
  }
  return sentence(replaced(std::string(property.violation), {{"worker", bad.worker()},
                                                             {"component", bad.component()},
                                                             {"grant", bad.grant()},
                                                             {"token", std::to_string(bad.token())},
                                                             {"holder", grant_name(run, bad.step().before.holder)},
                                                             {"newest", grant_name(run, newest)},
                                                             {"newest-step", std::to_string(newest_step)},
                                                             {"newer-write", grant_name(run, newer)},
                                                             {"newer-write-step", std::to_string(newer_step)},
                                                             {"highest-token", std::to_string(highest_token)},
                                                             {"effect-step", std::to_string(bad.effect_before())},
                                                             {"answer", bad.step().reply}}));
}

std::string failed_boundary(const ToldRun& run, const PropertyInfo& property) {
  const BadStep bad(run);
  const bool about_states = property.subject == Subject::reader || property.subject == Subject::belief ||
                            property.subject == Subject::liveness || property.subject == Subject::second_holder;
  if (!property.boundary.empty()) return sentence(std::string(property.boundary));
  if (!is_visit(bad.step().kind) && !about_states) {
    return fmt::format("No program did this: step {} (\"{}\") alone broke it.", bad.number(), bad.step().action);
  }
  switch (property.subject) {
    case Subject::accepted_write: return sentence(write_boundary(bad));
    case Subject::freed_lock: return sentence(release_boundary(bad));
    case Subject::turned_away: return sentence(refusal_boundary(bad));
    case Subject::new_grant: return sentence(grant_boundary(bad));
    case Subject::repeated_effect: return sentence(effect_boundary(bad));
    case Subject::answer: return sentence(answer_boundary(bad));
    case Subject::stale_decision: return sentence(decision_boundary(bad));
    case Subject::own_token:
      return "what is sent is not the worker's own: it was read from somewhere, and so it is as good as its true "
             "owner's.";
    case Subject::reader: return sentence(reader_boundary(bad));
    case Subject::belief: return sentence(belief_boundary(bad));
    case Subject::liveness: return "nothing leads from here to where the claim wants to be: no program, and no time.";
    case Subject::order:
      return "both requests carry the same token, so it cannot tell which was sent first: a sequence number or an "
             "expected version can.";
    case Subject::second_holder: return sentence(second_holder_boundary(bad));
    case Subject::other: break;
  }
  return sentence(any_boundary(bad));
}

std::vector<std::string> what_held(const ToldRun& run, const std::vector<PropertyText>& properties,
                                   const PropertyInfo& violated) {
  std::vector<std::string> held;
  // Two ways to two holders: a grant while another's still held the lock, and a fault that forgets who did.
  const bool one_holder = std::none_of(run.steps.begin(), run.steps.end(), [](const StepTold& step) {
    const bool second_grant = step.granted && step.before.holder != 0 && step.before.holder != step.lease;
    const bool forgot =
        !is_visit(step.kind) && step.kind != ActionKind::expiry && step.before.holder != step.after.holder;
    return second_grant || forgot;
  });
  if (one_holder) {
    held.emplace_back(
        "The lock service did its part: at no moment of this run did the lock have more than one holder.");
  }
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < properties.size(); ++i) {
    const explorer::Targets bit = explorer::Targets{1} << violated_target(i);
    const bool broken = std::any_of(run.steps.begin(), run.steps.end(),
                                    [&](const StepTold& step) { return (step.targets & bit) != 0; });
    if (properties[i].applies && !broken && properties[i].info.name != violated.name) {
      kept.emplace_back(properties[i].info.name);
    }
  }
  if (!kept.empty()) held.push_back(fmt::format("Not broken in this run: {}.", fmt::join(kept, ", ")));
  return held;
}

}  // namespace fencecheck
