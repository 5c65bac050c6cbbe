// What a worker's step does: sends its statement, finds out what the answer means, and puts it before the properties.
#include <fmt/core.h>

#include <algorithm>

#include <fencecheck/engines/file_world.h>
#include <fencecheck/engines/plain_text.h>
#include <fencecheck/engines/statement_text.h>
#include <fencecheck/model/telling_of.h>
#include <fencecheck/model/values.h>
#include <fencecheck/report/telling.h>

namespace fencecheck::engines {
namespace {

constexpr int max_token = 255;  // a Token is a byte

std::string negated(const Comparison& comparison) {
  static const std::map<std::string, std::string> opposite{{"=", "!="}, {"!=", "="}, {"<", ">="},
                                                           {">=", "<"}, {">", "<="}, {"<=", ">"}};
  return ":" + comparison.left + " " + opposite.at(comparison.op) + " " + comparison.right;
}

bool turns_away(Reply reply) { return reply == Reply::stale || reply == Reply::refused; }

/// A rule whose condition is told by what holds where it does not fit: "the id is new" of a duplicate.
bool is_setback(const Rule& rule) {
  const bool forward = rule.reply == Reply::next || rule.reply == Reply::accepted || rule.reply == Reply::granted;
  return !forward || rule.word == "duplicate";
}

}  // namespace

// --- statements ------------------------------------------------------------------------------------------------------

Cell FileWorld::parameter(const std::string& name, const FileState& state, int worker, std::size_t action) const {
  const Process& process = process_of(state, worker);
  const int lease = process.lease.number();
  const bool asks = steps_[action].part == Part::acquire && lease == 0;
  const bool again = steps_[action].step != nullptr && steps_[action].step->new_id;
  if (name == "token" && !(asks && kept_token_)) return std::to_string(process.token.number());
  if (name == "value") return fmt::format("v{}", lease);
  if (name == "handle") return fmt::format("h{}", asks ? state.model.newest.number() + 1 : lease);
  if (name == "owner") return worker_name(sender_of(state, worker));
  if (name == "request_id") return fmt::format("r{}{}", lease, again ? "-again" : "");
  if (name == "fingerprint") return fmt::format("f{}", lease);
  const auto cell = std::find(kept_names_.begin(), kept_names_.end(), name) - kept_names_.begin();
  return kept(process, static_cast<std::size_t>(cell));
}

Statement FileWorld::bound(const std::string& text, const FileState& state, int worker, std::size_t action) const {
  Statement statement{text, {}};
  for (const Placeholder& each : placeholders(text)) {
    const auto same = [&](const Parameter& p) { return p.name == each.name; };
    if (std::any_of(statement.parameters.begin(), statement.parameters.end(), same)) continue;
    statement.parameters.push_back({each.name, parameter(each.name, state, worker, action)});
  }
  return statement;
}

void FileWorld::tell_statement(Taking& taking, int worker, const Statement& statement,
                               const std::optional<Answer>& answer) {
  if (taking.told == nullptr) return;
  StatementTold told{
      worker < max_workers ? worker : -1, in_place(statement), in_words(statement.text, answer), statement.text, {}};
  for (const Parameter& each : statement.parameters) told.parameters.emplace_back(each.name, each.value);
  taking.told->statements.push_back(std::move(told));
}

Cell FileWorld::kept(const Process& process, std::size_t name) const {
  return exploration_->value(process.memory.kept[name].number());
}

void FileWorld::keep(const FileStep& step, const Answer& answer, Process& process) const {
  for (std::size_t column = 0; column < step.keep.size(); ++column) {
    const bool there = !answer.table.empty() && column < answer.table[0].size();
    const int number = there ? exploration_->number_of(answer.table[0][column]) : 0;
    const auto cell = std::find(kept_names_.begin(), kept_names_.end(), step.keep[column]) - kept_names_.begin();
    process.memory.kept[static_cast<std::size_t>(cell)] = Count<255>(number);
  }
}

/// The rule that says what an answer means; null where none is needed. Notes the conditions that it went by.
const Rule* FileWorld::meaning(const FileStep& step, const Answer& answer, const FileState& state, int worker,
                               std::size_t action, StepTold* told) const {
  for (const Rule& rule : step.rules) {
    bool fits = answer.error.empty();
    std::string name = rule.name;
    if (rule.error) {
      fits = !answer.error.empty() && (*rule.error == "any" || *rule.error == answer.error);
    } else if (rule.rows) {
      fits = fits && answer.rows == *rule.rows;
      if (name.empty() && *rule.rows == 0) name = "a row fits the statement's condition";
    } else if (rule.when) {
      const std::string& right = rule.when->right;
      const Cell other = right[0] == ':'         ? parameter(right.substr(1), state, worker, action)
                         : right == "null"       ? Cell{}
                         : right.front() == '\'' ? Cell(right.substr(1, right.size() - 2))
                                                 : Cell(right);
      fits = fits && rule.when->holds(parameter(rule.when->left, state, worker, action), other);
      if (name.empty()) name = is_setback(rule) ? negated(*rule.when) : rule.when->text;
    }
    const bool is_condition = !name.empty() && !rule.error && answer.error.empty();
    if (told != nullptr && is_condition) told->guards.push_back({name, is_setback(rule) ? !fits : fits});
    if (fits) return &rule;
  }
  if (!answer.error.empty()) {
    throw UsageError(
        fmt::format("{}:{}: step \"{}\": the store answered with the error {} ({}), and no rule of the step "
                    "says what that means: mend the statement, or add {{ error = \"{}\", is = … }} to `on`",
                    file_.path, step.line, step.name, answer.error, answer.message, answer.error));
  }
  return nullptr;
}

// --- steps -----------------------------------------------------------------------------------------------------------

bool FileWorld::take_step(Taking& taking, int worker, std::size_t action, bool reply_lost) const {
  for (const Side side : {Side::stores, Side::lock}) {
    if (is_pending(taking.state, side, worker)) return false;
  }
  const StepInfo& info = steps_[action];
  const bool asks = info.part == Part::acquire;
  if (asks && taking.state.model.newest.number() >= bounds_.leases) return false;
  if (info.step != nullptr) return send(taking, worker, action, reply_lost);
  return asks ? acquire_model(taking, worker, action, reply_lost) : release_model(taking, worker, action, reply_lost);
}

bool FileWorld::acquire_model(Taking& taking, int worker, std::size_t action, bool reply_lost) const {
  auto& model = taking.state.model;
  if (model.issuer.holder.exists()) return false;
  Process& self = process_of(taking.state, worker);
  const Lease newest = model.newest;
  model.newest = Lease(newest.number() + 1);
  model.issuer.counter = model.issuer.counter.next();
  model.issuer.holder = Unique(model.newest.number());
  self.lease = model.newest;
  self.token = model.issuer.counter;
  judge_grant(taking, worker, action, newest, Lease{}, !reply_lost);
  return true;
}

/// Puts a grant that was just made before the properties, and moves the worker on.
void FileWorld::judge_grant(Taking& taking, int worker, std::size_t action, Lease newest, Lease holder_before,
                            bool told) const {
  auto& model = taking.state.model;
  Process& self = process_of(taking.state, worker);
  IssuerVisit visit;
  visit.newest = newest;
  visit.granted = true;
  visit.token = self.token;
  visit.holder_before = holder_before;
  visit.holder_after = model.newest;
  visit.reply = Reply::granted;
  taking.targets |= FileJudge::at_issuer(model, visit);
  if (taking.told != nullptr) {
    taking.told->granted = true;
    taking.told->granted_token = self.token.number();
    taking.told->lease = model.newest.number();
    taking.told->reply = "granted";
  }
  Happening happening;
  happening.lease = model.newest;
  happening.newest = model.newest;
  happening.token = self.token;
  happening.reply = Reply::granted;
  happening.told = told;
  happening.granted = true;
  happening.holder_before = holder_before;
  happening.holder_after = model.newest;
  if (!told) {  // the worker does not know of it
    self.lease = Lease{};
    self.token = Token{};
  }
  move_on(self, action, told ? Reply::granted : Reply::unknown, happening);
  taking.targets |= FileJudge::after(model, happening, &self, bounds_.workers);
  if (happening.forgot) self.ledgers = {};
}

/// The worker starts anew.
void FileWorld::forget(Process& process) {
  process.place = 0;
  process.token = Token{};
  process.lease = Lease{};
  process.memory = {};
}

void FileWorld::move_on(Process& self, std::size_t action, Reply reply, Happening& happening) const {
  self.place = places_.after(action, reply);
  happening.visit_over = reply != Reply::next || ends_its_visit(action);
  happening.forgot = self.place == 0;
  if (happening.forgot) forget(self);
}

bool FileWorld::release_model(Taking& taking, int worker, std::size_t action, bool reply_lost) const {
  auto& model = taking.state.model;
  Process& self = process_of(taking.state, worker);
  const Lease holder_before(FieldNumber::of(model.issuer.holder));
  const bool own = holder_before == self.lease;
  if (own) model.issuer.holder = Unique{};
  const Reply reply = own ? Reply::accepted : Reply::refused;
  if (taking.told != nullptr) {
    taking.told->guards.push_back({"the lock is the caller's own", own});
    taking.told->reply = reply_name(reply);
  }
  judge_visit(taking, {worker, action, {}, 0, 0, !reply_lost}, reply, holder_before, 0, {});
  return true;
}

bool FileWorld::send(Taking& taking, int worker, std::size_t action, bool reply_lost) const {
  const FileStep& step = *steps_[action].step;
  const Side side = side_of(steps_[action].part);
  Situations& situations = exploration_->situations(side);
  const int session = session_of(worker);
  Number where = situation(taking.state, side);
  if (!step.begin.empty() && !situations.is_open(where, session)) {
    const Statement begin = bound(step.begin, taking.state, worker, action);
    const Situations::Outcome& begun = situations.run(where, session, begin);
    tell_statement(taking, worker, begin, begun.answer);
    if (!begun.answer || !begun.answer->error.empty()) {
      throw UsageError(fmt::format("{}:{}: step \"{}\": its `begin` has to succeed at once, and {}", file_.path,
                                   step.line, step.name, in_words(step.begin, begun.answer)));
    }
    where = begun.after;
  }
  const Statement statement = bound(step.run, taking.state, worker, action);
  const Situations::Outcome& outcome = situations.run(where, session, statement);
  tell_statement(taking, worker, statement, outcome.answer);
  const Number before = situations.committed(where);
  set_situation(taking.state, side, outcome.after);
  std::vector<Arrived> others;
  queue(outcome, taking, others);
  if (outcome.answer) {
    const Arrived own{worker, action, *outcome.answer, before, outcome.committed, !reply_lost};
    if (!conclude(taking, own, others, true)) return false;
  } else {
    if (reply_lost) return false;  // nobody knows yet what the reply is
    if (taking.told != nullptr) taking.told->reply = "waits";
  }
  conclude_all(taking, std::move(others));
  return true;
}

/// Notes the statements of others that went on.
void FileWorld::queue(const Situations::Outcome& outcome, Taking& taking, std::vector<Arrived>& arrived) const {
  Number before = outcome.committed;
  for (const Situations::Unblocked& each : outcome.unblocked) {
    const int worker = worker_of(each.session);
    if (worker < 0) continue;
    arrived.push_back({worker, step_of(taking.state, worker), each.answer, before, each.committed, true});
    before = each.committed;
  }
}

void FileWorld::conclude_all(Taking& taking, std::vector<Arrived> arrived) const {
  for (std::size_t i = 0; i < arrived.size(); ++i) {
    const Arrived each = arrived[i];
    const FileStep& step = *steps_[each.step].step;
    const Statement statement = bound(step.run, taking.state, each.worker, each.step);
    tell_statement(taking, each.worker, statement, each.answer);
    // What is told is the step of the one who moved; of the others only what went to the store.
    StepTold other;
    StepTold* const told = std::exchange(taking.told, taking.told == nullptr ? nullptr : &other);
    conclude(taking, each, arrived, false);
    taking.told = told;
    if (told != nullptr)
      told->statements.insert(told->statements.end(), other.statements.begin(), other.statements.end());
  }
}

/// What an answer means for its worker and for the properties. False where the step has to wait.
bool FileWorld::conclude(Taking& taking, const Arrived& arrived, std::vector<Arrived>& more, bool may_wait) const {
  auto& model = taking.state.model;
  const int worker = arrived.worker;
  Process& self = process_of(taking.state, worker);
  const FileStep& step = *steps_[arrived.step].step;
  const Lease holder_before(FieldNumber::of(model.issuer.holder));
  keep(step, arrived.answer, self);
  const Rule* rule = meaning(step, arrived.answer, taking.state, worker, arrived.step, taking.told);
  const bool last_of_acquire = steps_[arrived.step].part == Part::acquire && ends_its_part(arrived.step);
  if (rule == nullptr && last_of_acquire) {
    complain(step,
             fmt::format("ends the acquire with an answer that no rule of `on` gives a meaning: {}. A rule without a "
                         "condition takes what is left: {{ is = \"wait\" }}",
                         in_words(step.run, arrived.answer)));
  }
  const Reply reply = rule != nullptr ? rule->reply : ends_its_visit(arrived.step) ? Reply::accepted : Reply::next;
  if (reply == Reply::wait) {
    if (arrived.committed != arrived.committed_before)
      complain(step, "is told to wait, and has changed what is committed");
    require_way_out(taking, arrived);
    return !may_wait;
  }
  if (taking.told != nullptr) taking.told->reply = rule != nullptr ? rule->word : reply_name(reply);
  const Changes changes = see(taking.state, side_of(steps_[arrived.step].part), arrived.committed);
  if (reply == Reply::granted) {
    take_grant(taking, arrived, holder_before);
    return true;
  }
  const bool applied_before = rule != nullptr && rule->word == "duplicate";
  std::uint32_t wrote = 0;
  for (int s = 0; s < static_cast<int>(file_.stores.size()); ++s) {
    const int author = FieldNumber::of(row_of(model, s).value);
    const bool own = author == self.lease.number() && author != 0;
    // A write of the value that is there already changes nothing that shows.
    const bool confirmed =
        reply == Reply::accepted && !applied_before && s == step.store && steps_[arrived.step].part == Part::write;
    if (own && ((changes.values >> s & 1u) != 0 || confirmed)) wrote |= 1u << s;
  }
  close_what_is_open(taking, arrived, rule, reply, more);
  judge_visit(taking, arrived, reply, holder_before, wrote, changes);
  return true;
}

/// An error in a transaction that nobody's transaction is in the way of comes again each time.
void FileWorld::require_way_out(const Taking& taking, const Arrived& arrived) const {
  const Side side = side_of(steps_[arrived.step].part);
  if (arrived.answer.error.empty() || !is_open(taking.state, side, arrived.worker)) return;
  if (!exploration_->situations(side).is_alone(situation(taking.state, side), session_of(arrived.worker))) return;
  complain(*steps_[arrived.step].step,
           fmt::format("waits on the error {} inside a transaction while nobody else has one: no retry can succeed. A "
                       "client rolls back and begins anew: is = \"again\", or gives up: is = \"conflict\"",
                       arrived.answer.error));
}

/// A grant that the store's own lock made.
void FileWorld::take_grant(Taking& taking, const Arrived& arrived, Lease holder_before) const {
  auto& model = taking.state.model;
  const FileStep& step = *steps_[arrived.step].step;
  Process& self = process_of(taking.state, arrived.worker);
  const Lease newest = model.newest;
  const Lease granted(newest.number() + 1);
  model.newest = granted;
  self.lease = granted;
  if (kept_token_) self.token = Token(token_number(step, kept(self, *kept_token_)));
  if (keeps_granted_) {
    taking.state.granted[static_cast<std::size_t>(granted.number() - 1)] =
        static_cast<std::uint8_t>(self.token.number());
  }
  see_holder(taking.state, arrived.committed);
  if (Lease(FieldNumber::of(model.issuer.holder)) != granted) {
    complain(step,
             "says `granted`, and the issuer's `holder` gives neither its :handle nor its token: either the query "
             "is another one, or the lock was taken in an earlier step and lost before this one (its lease expired, "
             "or it was restored). Take the lock and its token in one step");
  }
  if (is_open(taking.state, Side::lock, arrived.worker)) {
    complain(step, "says `granted`, and leaves its transaction open");
  }
  judge_grant(taking, arrived.worker, arrived.step, newest, holder_before, arrived.told);
}

int FileWorld::token_number(const FileStep& step, const Cell& token) const {
  if (!token) complain(step, "keeps nothing as the token: the statement gave no such row or column back");
  const std::string text = token.value_or("");
  const std::int64_t number = whole_number(text).value_or(0);
  if (number > 0 && number <= max_token) return static_cast<int>(number);
  complain(step, fmt::format("keeps '{}' as the token; it must be a whole number, 1 to {}", text, max_token));
}

/// Puts a visit that is over, or goes on, before the properties, and moves its worker on.
void FileWorld::judge_visit(Taking& taking, const Arrived& arrived, Reply reply, Lease holder_before,
                            std::uint32_t wrote, const Changes& changes) const {
  auto& model = taking.state.model;
  Process& self = process_of(taking.state, arrived.worker);
  const StepInfo& info = steps_[arrived.step];
  // A write may free the lock, where it is a part of the row.
  const Lease holder_after(FieldNumber::of(model.issuer.holder));
  const bool frees = info.part == Part::release || (info.part == Part::write && holder_before != holder_after);
  const bool at_issuer = info.part != Part::write || frees;
  const Lease lease = self.lease;
  const Token token = self.token;
  const std::uint32_t visited =
      info.part != Part::write ? 0 : (1u << info.step->store) | wrote | changes.added | changes.changed;
  if (at_issuer) {
    IssuerVisit visit;
    visit.lease = lease;
    visit.newest = model.newest;
    visit.may_change = frees;
    visit.holder_before = holder_before;
    visit.holder_after = holder_after;
    visit.reply = reply;
    taking.targets |= FileJudge::at_issuer(model, visit);
  }
  const auto at_store = [&]<std::size_t S>() {
    if ((visited >> S & 1u) == 0) return;
    StoreVisit visit;
    visit.store = static_cast<int>(S);
    visit.lease = lease;
    visit.newest = model.newest;
    visit.token = token;
    visit.wrote = (wrote >> S & 1u) != 0;
    visit.reply = static_cast<int>(S) == info.step->store ? reply : Reply::next;
    visit.compared = std::any_of(info.step->rules.begin(), info.step->rules.end(),
                                 [](const Rule& rule) { return turns_away(rule.reply); });
    taking.targets |= FileJudge::at_store<S>(model, visit);
  };
  [&]<std::size_t... S>(std::index_sequence<S...>) {
    (at_store.template operator()<S>(), ...);
  }(std::make_index_sequence<max_stores>{});
  if (taking.told != nullptr) {
    for (int s = 0; s < max_stores; ++s) {
      if ((wrote >> s & 1u) != 0) taking.told->wrote.push_back(s);
    }
  }
  Happening happening;
  happening.lease = lease;
  happening.newest = model.newest;
  happening.token = token;
  happening.operation = 1;
  happening.operation_of = lease;
  happening.reply = reply;
  happening.told = arrived.told;
  happening.basis = info.step != nullptr && info.step->basis;
  happening.may_free = frees;
  happening.holder_before = holder_before;
  happening.holder_after = holder_after;
  happening.visited = visited;
  happening.wrote = wrote;
  happening.added = changes.added;
  happening.changed = changes.changed;
  move_on(self, arrived.step, arrived.told ? reply : Reply::unknown, happening);
  taking.targets |= FileJudge::after(model, happening, &self, bounds_.workers);
  if (happening.forgot) self.ledgers = {};
}

/// A worker that is turned away, or begins anew, rolls back what it has open, as a client's library does; one whose
/// reply was lost has lost its connection.
void FileWorld::close_what_is_open(Taking& taking, const Arrived& arrived, const Rule* rule, Reply reply,
                                   std::vector<Arrived>& more) const {
  const Side side = side_of(steps_[arrived.step].part);
  if (!is_open(taking.state, side, arrived.worker)) return;
  const bool goes_on = reply == Reply::next && !ends_its_part(arrived.step);
  const bool applied_before = rule != nullptr && rule->word == "duplicate";
  if (arrived.told && goes_on) return;
  if (arrived.told && !turns_away(reply) && reply != Reply::again && reply != Reply::unknown && !applied_before) {
    complain(*steps_[arrived.step].step, "ends its visit, and leaves a transaction open: commit it before that");
  }
  cut_off(taking, side, arrived.worker, more);
}

void FileWorld::cut_off(Taking& taking, Side side, int worker, std::vector<Arrived>& more) const {
  const Situations::Outcome& outcome =
      exploration_->situations(side).cut_off(situation(taking.state, side), session_of(worker));
  if (taking.told != nullptr)
    taking.told->statements.push_back({worker < max_workers ? worker : -1, "(rolled back)", "", "", {}});
  set_situation(taking.state, side, outcome.after);
  queue(outcome, taking, more);
}

void FileWorld::complain(const FileStep& step, const std::string& what) const {
  throw UsageError(fmt::format("{}:{}: step \"{}\" {}", file_.path, step.line, step.name, what));
}

bool FileWorld::ends_its_visit(std::size_t step) const {
  const std::size_t next = step + 1;
  return next >= steps_.size() || steps_[next].part != steps_[step].part || actions_[next].first_of_visit;
}

bool FileWorld::ends_its_part(std::size_t step) const {
  return step + 1 >= steps_.size() || steps_[step + 1].part != steps_[step].part;
}

}  // namespace fencecheck::engines
