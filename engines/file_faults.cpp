// What befalls a design file's world by itself: leases end, workers die, engines are restored from their backups.
#include <fmt/core.h>

#include <algorithm>

#include <fencecheck/engines/file_world.h>
#include <fencecheck/engines/statement_text.h>
#include <fencecheck/model/symmetry.h>
#include <fencecheck/model/telling_of.h>

namespace fencecheck::engines {

bool FileWorld::spend(FileState& state, Fault fault) {
  std::uint8_t& left = state.model.left[static_cast<std::size_t>(fault)];
  if (left == 0) return false;
  --left;
  return true;
}

void FileWorld::judge_fault(Taking& taking, ActionKind kind, Lease holder_before, Process* self,
                            const Changes& changes) const {
  auto& model = taking.state.model;
  Happening happening;
  happening.kind = kind;
  happening.lease = self == nullptr ? Lease{} : self->lease;
  happening.newest = model.newest;
  happening.forgot = self != nullptr;
  happening.holder_before = holder_before;
  happening.holder_after = Lease(FieldNumber::of(model.issuer.holder));
  happening.changed = changes.changed;
  if (self != nullptr) forget(*self);
  taking.targets |= FileJudge::after(model, happening, self, bounds_.workers);
  if (self != nullptr) self->ledgers = {};
}

bool FileWorld::expire(Taking& taking) const {
  auto& model = taking.state.model;
  const Lease holder(FieldNumber::of(model.issuer.holder));
  // What is in a queue and was not granted yet does not expire: it could be sent and expire again for ever.
  if (!holder.exists()) return false;
  if (!file_.issuer) {
    model.issuer.holder = Unique{};
    judge_fault(taking, ActionKind::expiry, holder, nullptr, {});
    return true;
  }
  std::vector<Arrived> others;
  if (!run_own(taking, file_.issuer->expire, "expire", others)) return false;
  const Changes changes = see(taking.state, Side::lock, committed(taking.state, Side::lock));
  judge_fault(taking, ActionKind::expiry, holder, nullptr, changes);
  conclude_all(taking, std::move(others));
  return true;
}

/// Statements that nobody of the workers sends. False where somebody's lock is in the way: it may happen later.
bool FileWorld::run_own(Taking& taking, const std::vector<std::string>& statements, const char* what,
                        std::vector<Arrived>& others) const {
  Situations& situations = exploration_->situations(Side::lock);
  for (const std::string& each : statements) {
    const Statement statement = bound_outside(each, taking.state);
    const Situations::Outcome& outcome = situations.run(situation(taking.state, Side::lock), outside, statement);
    if (!outcome.answer) return false;
    if (!outcome.answer->error.empty()) {
      if (outcome.answer->error.starts_with("SQLITE_BUSY")) return false;
      throw UsageError(fmt::format("{}: the {} statement `{}` failed: {}: {}", file_.path, what, each,
                                   outcome.answer->error, outcome.answer->message));
    }
    tell_statement(taking, -1, statement, outcome.answer);
    set_situation(taking.state, Side::lock, outcome.after);
    queue(outcome, taking, others);
  }
  return true;
}

bool FileWorld::crash(Taking& taking, int worker) const {
  auto& model = taking.state.model;
  Process& self = process_of(taking.state, worker);
  if (self.place == 0 || !spend(taking.state, Fault::crash)) return false;
  const Lease holder(FieldNumber::of(model.issuer.holder));
  std::vector<Arrived> others;
  for (std::size_t engine = 0; engine <= engine_of(Side::lock); ++engine) {
    const auto side = static_cast<Side>(engine);
    if (is_open(taking.state, side, worker) || is_pending(taking.state, side, worker))
      cut_off(taking, side, worker, others);
  }
  judge_fault(taking, ActionKind::crash, holder, &self, {});
  conclude_all(taking, std::move(others));
  return true;
}

// --- requests under way ---------------------------------------------------------------------------------------------

/// A copy of the request that the worker's next step makes, with all that the worker has now. False where there is no
/// room, or where the worker is in the middle of a transaction: what it sends then is nothing without its session.
bool FileWorld::put_under_way(FileState& state, int worker, std::size_t step) const {
  auto& place = state.model.under_way[static_cast<std::size_t>(places_under_way() - 1)];  // empty ones are last
  const Side side = side_of(steps_[step].part);
  if (place.step != 0 || is_open(state, side, worker) || is_pending(state, side, worker)) return false;
  place.step = static_cast<std::uint8_t>(step + 1);
  place.process = process_of(state, worker);
  place.process.place = 0;
  place.sender = OwnerAccess::of(worker);
  detail::sort_under_way(state.model);
  return true;
}

/// The worker gives up waiting for an answer, and does not learn what became of its request.
bool FileWorld::send_late(Taking& taking, int worker, std::size_t step) const {
  if (!put_under_way(taking.state, worker, step)) return false;
  Process& self = process_of(taking.state, worker);
  Happening unheard;
  move_on(self, step, Reply::unknown, unheard);
  if (unheard.forgot) self.ledgers = {};
  return true;
}

/// A request arrives on a session of its own, and nobody waits for the answer. Where it would block it arrives later.
bool FileWorld::arrive(Taking& taking, std::size_t place) const {
  auto& request = taking.state.model.under_way[place];
  if (request.step == 0) return false;
  if (!take_step(taking, max_workers + static_cast<int>(place), request.step - 1u, true)) return false;
  request = {};
  detail::sort_under_way(taking.state.model);
  return true;
}

bool FileWorld::restore_model_issuer(Taking& taking, ActionKind kind) const {
  auto& model = taking.state.model;
  if (model.left[static_cast<std::size_t>(Fault::issuer_restore)] == 0) return false;
  if (model.issuer_backup.counter == model.issuer.counter) return false;
  const Lease holder(FieldNumber::of(model.issuer.holder));
  if (kind == ActionKind::backup) {
    model.issuer_backup.counter = model.issuer.counter;
  } else {
    model.issuer = {model.issuer_backup.counter, Unique{}};
    spend(taking.state, Fault::issuer_restore);
  }
  judge_fault(taking, kind, holder, nullptr, {});
  return true;
}

/// All that one engine holds at once, and only while nobody has a transaction open there: a restore ends every session.
bool FileWorld::restore(Taking& taking, ActionKind kind, Side side) const {
  FileState& state = taking.state;
  Situations& situations = exploration_->situations(side);
  const Number where = situation(state, side);
  const Fault fault = side == Side::stores ? Fault::store_restore : Fault::issuer_restore;
  if (state.model.left[static_cast<std::size_t>(fault)] == 0 || !situations.at_rest(where)) return false;
  SituationBytes& backup = state.backup[engine_of(side)];
  if (backup == state.situation[engine_of(side)]) return false;
  const Lease holder(FieldNumber::of(state.model.issuer.holder));
  Changes changes;
  if (kind == ActionKind::backup) {
    backup = state.situation[engine_of(side)];
  } else {
    state.situation[engine_of(side)] = backup;
    const Situations::Restored& restored = situations.restore(situation(state, side));
    set_situation(state, side, restored.content);
    if (taking.told != nullptr && !restored.how.empty())
      taking.told->statements.push_back({-1, "(" + restored.how + ")", "", "", {}});
    std::vector<Arrived> nobody;
    if (side == Side::lock && !run_own(taking, file_.issuer->restored, "restored", nobody)) return false;
    changes = see(state, side, committed(state, side));
    spend(state, fault);
  }
  judge_fault(taking, kind, holder, nullptr, changes);
  return true;
}

/// What an operator knows who restores the lock's engine: the highest token that was ever granted, as `:issued`, and
/// what the stores hold, as the columns of their queries.
Statement FileWorld::bound_outside(const std::string& text, const FileState& state) const {
  Statement statement{text, {}};
  for (const Placeholder& each : placeholders(text)) {
    if (each.name == "issued") {
      const int highest = *std::max_element(state.granted.begin(), state.granted.end());
      statement.parameters.push_back({each.name, std::to_string(highest)});
      continue;
    }
    const std::vector<Answer>& seen = exploration_->seen(committed(state, Side::stores));
    const auto has = [&](const Answer& store) {
      return std::find(store.columns.begin(), store.columns.end(), each.name) != store.columns.end();
    };
    const auto end = seen.begin() + static_cast<std::ptrdiff_t>(file_.stores.size());
    const auto store = std::find_if(seen.begin(), end, has);
    if (store == end) {
      throw UsageError(
          fmt::format("{}: `restored` names ':{}'; there are :issued, the highest token that was ever "
                      "granted, and the columns of the stores' queries",
                      file_.path, each.name));
    }
    statement.parameters.push_back({each.name, column(*store, each.name)});
  }
  return statement;
}

}  // namespace fencecheck::engines
