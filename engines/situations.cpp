#include <fencecheck/engines/situations.h>

#include <fmt/core.h>

#include <algorithm>

#include <fencecheck/engines/statement_text.h>

namespace fencecheck::engines {
namespace {

constexpr std::uint32_t nothing = ~std::uint32_t{0};  // no command

std::uint32_t bit(int session) { return std::uint32_t{1} << session; }

std::string key_of(int session, bool cut_off, const Statement& statement) {
  std::string key = fmt::format("{}{}{}", session, cut_off ? "!" : ":", statement.text);
  for (const Parameter& each : statement.parameters) {
    key += '\0' + each.name + (each.value ? "=" + *each.value : std::string("~"));
  }
  return key;
}

[[noreturn]] void complain(const Statement& statement, const std::string& first, const std::string& second) {
  throw NonDeterministic(
      fmt::format("`{}` was answered differently to the same statements before it: first {}, then {}. It depends on "
                  "something else than what the store holds, such as a clock or a random number; no verdict would "
                  "mean anything",
                  statement.text, first, second));
}

}  // namespace

Situations::Situations(Engine& engine, std::vector<Statement> views) : engine_(engine), views_(std::move(views)) {
  const std::optional<Content> content = engine_.content();
  if (!content) throw EngineFailure("the store cannot be read after its setup: something is still open");
  start_ = know(*content);
  standing_ = start_;
}

const Situations::Outcome& Situations::run(Number where, int session, const Statement& statement) {
  return outcome(where, {session, false, statement});
}

const Situations::Outcome& Situations::cut_off(Number where, int session) {
  return outcome(where, {session, true, {}});
}

const Situations::Outcome& Situations::outcome(Number where, const Command& command) {
  const std::uint32_t number = number_of(command);
  const std::uint64_t key = std::uint64_t{where} << 32 | number;
  if (const auto known = outcomes_.find(key); known != outcomes_.end()) {
    ++remembered_;
    return known->second;
  }
  Outcome made = make(where, number);
  return outcomes_.emplace(key, std::move(made)).first->second;
}

// Runs it twice where that is cheap: an answer that depends on a clock or on chance shows at once.
Situations::Outcome Situations::make(Number where, std::uint32_t command) {
  Outcome first = try_once(where, command);
  if (!at_rest(where) || !at_rest(first.after)) return first;
  standing_.reset();
  const Outcome second = try_once(where, command);
  const Statement& statement = commands_[command].statement;
  if (first.answer != second.answer)
    complain(statement, in_words(statement.text, first.answer), in_words(statement.text, second.answer));
  if (first.after != second.after) complain(statement, text(first.after), text(second.after));
  return first;
}

Situations::Outcome Situations::try_once(Number where, std::uint32_t command) {
  go_to(where);
  standing_.reset();
  const Command sent = commands_[command];
  Outcome result;
  result.answer = send(sent);
  const std::vector<std::pair<int, Answer>> unblocked = engine_.unblocked();
  result.after = reach(where, command, !result.answer, unblocked);
  standing_ = result.after;
  result.after = without_ended(result.after, sent.session);
  result.committed = committed(result.after);
  // What was committed in between is found by doing the same without those that went on afterwards.
  std::uint32_t later = 0;
  for (const auto& [session, answer] : unblocked) later |= bit(session);
  for (const auto& [session, answer] : unblocked) {
    const Number before = committed(outcome(without_pending(where, later), sent).after);
    if (result.unblocked.empty()) {
      result.committed = before;
    } else {
      result.unblocked.back().committed = before;
    }
    result.unblocked.push_back({session, answer, committed(result.after)});
    later &= ~bit(session);
  }
  return result;
}

const Situations::Restored& Situations::restore(Number content) {
  const auto [known, is_new] = restored_.try_emplace(content);
  if (!is_new) return known->second;
  standing_.reset();
  ++calls_;
  known->second.how = engine_.restore(contents_.at(content).content);
  const std::optional<Content> now = engine_.content();
  if (!now) throw EngineFailure("the store cannot be read after it was restored from a backup");
  known->second.content = know(*now);
  return known->second;
}

std::optional<Answer> Situations::send(const Command& command) {
  sessions_ |= bit(command.session);
  ++calls_;
  if (!command.cut_off) return engine_.run(command.session, command.statement);
  engine_.end(command.session);
  return Answer{};
}

/// Puts the engine into situation `where`. What it answers on the way must be what it answered before.
void Situations::go_to(Number where) {
  if (standing_ == where) return;
  standing_.reset();
  if (places_[where].parent == where) {
    engine_.load(contents_.at(where).content);
    ++calls_;
    standing_ = where;
    return;
  }
  const Number parent = places_[where].parent;
  const std::uint32_t command = places_[where].command;
  go_to(parent);
  standing_.reset();
  const Command sent = commands_[command];
  const std::optional<Answer> answer = send(sent);
  const std::vector<std::pair<int, Answer>> unblocked = engine_.unblocked();
  const auto known = outcomes_.find(std::uint64_t{parent} << 32 | command);
  if (known != outcomes_.end()) {
    const Outcome& before = known->second;
    if (answer != before.answer)
      complain(sent.statement, in_words(sent.statement.text, before.answer), in_words(sent.statement.text, answer));
    bool same = unblocked.size() == before.unblocked.size();
    for (std::size_t i = 0; same && i < unblocked.size(); ++i) {
      same = unblocked[i].first == before.unblocked[i].session && unblocked[i].second == before.unblocked[i].answer;
    }
    if (!same) complain(sent.statement, "it let others go on", "it let others go on, or in another order");
  }
  standing_ = where;
}

/// The situation that the engine is in after `command` was sent in situation `where`, and was or was not `blocked`.
Situations::Number Situations::reach(Number where, std::uint32_t command, bool blocked,
                                     const std::vector<std::pair<int, Answer>>& unblocked) {
  Place place;
  place.parent = where;
  place.command = command;
  place.pending = places_[where].pending & ~bit(commands_[command].session);
  if (blocked) place.pending |= bit(commands_[command].session);
  for (const auto& [session, answer] : unblocked) place.pending &= ~bit(session);
  for (int session = 0; session < max_sessions; ++session) {
    const bool used = (sessions_ & bit(session)) != 0 && (place.pending & bit(session)) == 0;
    if (used && engine_.is_open(session)) place.open |= bit(session);
  }
  // Where a lock is in the way of reading, nobody has committed anything.
  const std::optional<Content> content = engine_.content();
  place.committed = content ? know(*content) : committed(where);
  if (place.open == 0 && place.pending == 0) return place.committed;
  const auto next = static_cast<Number>(places_.size());
  const std::optional<std::string> open = state(place);
  Number& known = open ? by_state_.try_emplace(*open, next).first->second
                       : by_step_.try_emplace({where, command}, next).first->second;
  if (known == next) places_.push_back(place);
  return known;
}

/// What decides how the engine goes on from `place`, where it can say so: however it came there is then forgotten.
std::optional<std::string> Situations::state(const Place& place) {
  if (place.pending != 0) return std::nullopt;
  std::string text = std::to_string(place.committed);
  for (int session = 0; session < max_sessions; ++session) {
    if ((place.open & bit(session)) == 0) continue;
    const std::optional<std::string> open = engine_.open_state(session);
    if (!open) return std::nullopt;
    text += fmt::format("\n{} {}", session, *open);
  }
  return text;
}

/// The situation that differs from `where` in that the statements pending on `sessions` were never sent.
Situations::Number Situations::without_pending(Number where, std::uint32_t sessions) {
  std::vector<std::uint32_t> sent;
  Number at = where;
  for (; places_[at].parent != at; at = places_[at].parent) sent.push_back(places_[at].command);
  std::uint32_t left = sessions;
  for (std::uint32_t& command : sent) {  // the last of each session first
    const std::uint32_t session = bit(commands_[command].session);
    if ((left & session) == 0) continue;
    left &= ~session;
    command = nothing;
  }
  std::reverse(sent.begin(), sent.end());
  for (const std::uint32_t command : sent) {
    if (command == nothing) continue;
    const Command again = commands_[command];  // a copy: what is made may make commands_ grow
    at = outcome(at, again).after;
  }
  return at;
}

/// Where the last transaction of `session` has ended and left nothing behind, the situation in which it never was:
/// else who begins anew, while another one stands still, would come to ever new situations. `where` itself where it has
/// not ended, has changed what is committed, or was in the way of somebody whose transaction is still open.
Situations::Number Situations::without_ended(Number where, int session) {
  if (at_rest(where) || is_open(where, session) || is_pending(where, session)) return where;
  if (commands_[places_[where].command].session != session) return where;  // one that was known already
  if (committed(where) != committed(places_[where].parent)) return where;
  std::vector<std::pair<Number, std::uint32_t>> kept;  // where each command was sent, the last one first
  bool ended = false;                                  // the whole of the session's last transaction lies behind
  Number at = where;
  for (; places_[at].parent != at; at = places_[at].parent) {
    const Number parent = places_[at].parent;
    const bool own = commands_[places_[at].command].session == session && !ended;
    if (!own) kept.emplace_back(parent, places_[at].command);
    if (own) ended = !is_open(parent, session) && !is_pending(parent, session);
  }
  std::reverse(kept.begin(), kept.end());
  for (const auto& [place, command] : kept) {
    const std::optional<Answer> before = outcomes_.at(std::uint64_t{place} << 32 | command).answer;
    const Command again = commands_[command];
    const Outcome& without = outcome(at, again);
    if (without.answer != before) return where;
    at = without.after;
  }
  return at;
}

/// The number of a content, which the engine holds at this moment.
Situations::Number Situations::know(const Content& content) {
  const auto [known, is_new] = by_text_.try_emplace(content.text, static_cast<Number>(places_.size()));
  if (!is_new) return known->second;
  const Number number = known->second;
  places_.push_back({number, number, nothing, 0, 0});
  Known& entry = contents_[number];
  entry.content = content;
  sessions_ |= bit(outside);
  for (const Statement& view : views_) {
    ++calls_;
    const std::optional<Answer> answer = engine_.run(outside, view);
    if (!answer) throw EngineFailure(fmt::format("`{}` is blocked: readers must not wait", view.text));
    entry.seen.push_back(*answer);
  }
  return number;
}

std::uint32_t Situations::number_of(const Command& command) {
  const auto next = static_cast<std::uint32_t>(commands_.size());
  const auto [known, is_new] =
      command_numbers_.try_emplace(key_of(command.session, command.cut_off, command.statement), next);
  if (is_new) commands_.push_back(command);
  return known->second;
}

}  // namespace fencecheck::engines
