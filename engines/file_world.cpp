#include <fencecheck/engines/file_world.h>

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include <fencecheck/engines/plain_text.h>
#include <fencecheck/engines/statement_text.h>
#include <fencecheck/model/fields.h>
#include <fencecheck/model/values.h>

namespace fencecheck::engines {
namespace {

constexpr std::size_t stride = (sizeof(FileState) + 7) / 8 * 8;
static_assert(std::is_trivially_copyable_v<FileState> && alignof(FileState) == 1);

const FileState& state_at(const std::byte* bytes) { return *reinterpret_cast<const FileState*>(bytes); }
FileState& state_at(std::byte* bytes) { return *reinterpret_cast<FileState*>(bytes); }

/// Whether a lock can be known by its handle: the acquire stores it.
bool sends_handle(const FileIssuer& issuer) {
  return std::any_of(issuer.acquire.begin(), issuer.acquire.end(), [](const FileStep& step) {
    const std::vector<Placeholder> named = placeholders(step.run);
    return std::any_of(named.begin(), named.end(), [](const Placeholder& p) { return p.name == "handle"; });
  });
}

/// The number behind a letter: 3 for "v3"; 0 for anything else, such as what was there at the beginning.
int numbered(const Cell& cell, char letter) {
  if (!cell || !cell->starts_with(letter)) return 0;
  const std::int64_t number = whole_number(std::string_view(*cell).substr(1)).value_or(0);
  return number >= 0 && number <= max_leases ? static_cast<int>(number) : 0;
}

/// As often as the query says, up to what an Effect can count.
Effect effect_of(const Cell& cell) {
  Effect effect;
  for (int i = 0; i < numbered("e" + cell.value_or("0"), 'e'); ++i) effect.add();
  EffectAccess::settle(effect);
  return effect;
}

Value settled_value(int author) {
  Value value = ValueAccess::fresh(author);
  ValueAccess::settle(value);
  return value;
}

}  // namespace

// --- the world -------------------------------------------------------------------------------------------------------

FileWorld::FileWorld(const DesignFile& file, std::shared_ptr<Exploration> exploration, const Bounds& bounds,
                     explorer::Targets judged)
    : file_(file), exploration_(std::move(exploration)), bounds_(bounds), judged_(judged) {
  add_actions();
  if (keeps_token(file)) {
    const auto token = std::find(kept_names_.begin(), kept_names_.end(), "token");
    kept_token_ = static_cast<std::size_t>(token - kept_names_.begin());
  }
  keeps_granted_ = file.issuer && (!sends_handle(*file.issuer) || !file.issuer->restored.empty());
  const auto end = actions_.begin() + static_cast<std::ptrdiff_t>(steps_.size());
  places_ = Places({actions_.begin(), end}, detail::main_program, std::vector<bool>(steps_.size()));
}

void FileWorld::add_actions() {
  if (file_.issuer) {
    add_steps(file_.issuer->acquire, Part::acquire, nullptr);
  } else {
    add_steps({}, Part::acquire, "acquire");
  }
  add_steps(file_.writes, Part::write, nullptr);
  if (file_.issuer) {
    add_steps(file_.issuer->release, Part::release, nullptr);
  } else if (file_.releases) {
    add_steps({}, Part::release, "release");
  }
  variants_.resize(steps_.size());
  // Faults are no steps of a program: Places must not see them, so they come behind.
  if (bounds_.expiry && (!file_.issuer || !file_.issuer->expire.empty()))
    add_fault(ActionKind::expiry, "lease expires", {0});
  if (bounds_.issuer_restores > 0) {
    add_fault(ActionKind::backup, "backup taken", {0});
    add_fault(ActionKind::restore, "restored from backup", {0});
  }
  if (bounds_.store_restores > 0) {
    add_fault(ActionKind::backup, "backup taken", {1});
    add_fault(ActionKind::restore, "restored from backup", {1});
  }
  if (bounds_.crashes > 0) add_fault(ActionKind::crash, "dies, and starts anew", {}, true);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (bounds_.lost_replies > 0) add_variant(ActionKind::lost_reply, i, ", its reply lost");
    // A grant never comes late; nor does a request that needs the transaction which its session has open.
    const bool alone = steps_[i].step == nullptr || steps_[i].step->begin.empty();
    if (steps_[i].part == Part::acquire || !alone) continue;
    if (bounds_.late_requests > 0) add_variant(ActionKind::sent_late, i, ", given up and still under way");
    if (bounds_.duplicates > 0) add_variant(ActionKind::duplicate, i, ", a copy still under way");
  }
  first_arrival_ = actions_.size();
  for (int place = 0; place < places_under_way(); ++place) {
    add_fault(ActionKind::arrival, "a request that was under way arrives", {0});
  }
}

void FileWorld::add_variant(ActionKind kind, std::size_t step, const char* how) {
  StepText text = actions_[step];
  text.kind = kind;
  text.name += how;
  variants_[step].push_back(static_cast<std::uint16_t>(actions_.size()));
  varied_.resize(actions_.size() + 1);
  varied_.back() = step;
  actions_.push_back(std::move(text));
}

void FileWorld::add_steps(const std::vector<FileStep>& steps, Part part, const char* own_name) {
  const auto add = [&](const FileStep* step, const std::string& name, bool first) {
    StepText text;
    text.name = name;
    text.components = {part == Part::write ? 1 + step->store : 0};
    text.first_of_visit = first;
    text.in_finally = part == Part::release;
    text.grants = part == Part::acquire;
    text.manner.retry = step != nullptr && step->retry;
    text.manner.new_id = step != nullptr && step->new_id;
    text.manner.basis = step != nullptr && step->basis;
    text.may_change = text.components;
    actions_.push_back(std::move(text));
    steps_.push_back({part, step});
  };
  if (own_name != nullptr) add(nullptr, own_name, true);
  for (const FileStep& step : steps) {
    add(&step, step.name, step.first_of_visit);
    for (const std::string& name : step.keep) {
      if (std::find(kept_names_.begin(), kept_names_.end(), name) == kept_names_.end()) kept_names_.push_back(name);
    }
  }
  if (kept_names_.size() > max_kept) {
    throw UsageError(fmt::format("{}: answers are kept under {} names; at most {} are possible", file_.path,
                                 kept_names_.size(), max_kept));
  }
}

void FileWorld::add_fault(ActionKind kind, std::string name, std::vector<int> components, bool of_workers) {
  StepText text;
  text.kind = kind;
  text.name = std::move(name);
  text.components = std::move(components);
  text.program = -1;
  const auto action = static_cast<std::uint16_t>(actions_.size());
  actions_.push_back(std::move(text));
  if (!of_workers) fault_moves_.push_back({explorer::Move::environment, action});
  for (int w = 0; of_workers && w < bounds_.workers; ++w)
    fault_moves_.push_back({static_cast<std::int16_t>(w), action});
}

std::size_t FileWorld::state_bytes() const { return stride; }

std::vector<std::uint8_t> FileWorld::field_bits() const {
  FileState state{};
  std::vector<std::uint8_t> bits(stride, 0);
  const auto set_byte = [&](const void* field, int value) {
    bits[static_cast<std::size_t>(static_cast<const char*>(field) - reinterpret_cast<const char*>(&state))] =
        static_cast<std::uint8_t>(value);
  };
  const auto set = [&](auto& part) {
    for_each_field(part, [&](const auto& field) {
      using Field = std::remove_cvref_t<decltype(field)>;
      // A store's own tokens, such as revisions, need not begin at 1 nor count by one.
      const bool own_token = std::is_same_v<Field, Token> && file_.issuer;
      set_byte(&field, own_token ? 8 : fencecheck::field_bits<Field>(bounds_));
    });
  };
  auto& model = state.model;
  set(model.issuer);
  if (bounds_.issuer_restores > 0) set(model.issuer_backup);
  set(model.newest);
  for (std::size_t f = 0; f < fault_count; ++f) set_byte(&model.left[f], bits_for(bounds_.*faults[f].budget));
  set(detail::get<0>(model.rows));
  set(detail::get<1>(model.rows));
  set(detail::get<2>(model.rows));
  set(detail::get<max_stores>(model.rows));
  FileJudge::for_each_property([&]<std::size_t I>() {
    set(detail::get<I>(model.ledgers));
    for (std::size_t s = 0; s < file_.stores.size(); ++s) set(detail::get<I>(model.store_ledgers[s]));
    for (int w = 0; w < bounds_.workers; ++w) set(detail::get<I>(model.processes[static_cast<std::size_t>(w)].ledgers));
  });
  const auto set_process = [&](Process& process) {
    set(process.token);
    set(process.lease);
    for (std::size_t k = 0; k < kept_names_.size(); ++k) set(process.memory.kept[k]);
  };
  for (int w = 0; w < bounds_.workers; ++w) {
    Process& process = model.processes[static_cast<std::size_t>(w)];
    set_byte(&process.place, bits_for(places_.count() - 1));
    set_process(process);
  }
  for (int place = 0; place < places_under_way(); ++place) {
    auto& each = model.under_way[static_cast<std::size_t>(place)];
    set_byte(&each.step, bits_for(static_cast<int>(steps_.size())));
    set(each.sender);
    set_process(each.process);
    FileJudge::for_each_property([&]<std::size_t I>() { set(detail::get<I>(each.process.ledgers)); });
  }
  const auto set_bytes = [&](const auto& bytes) {
    for (const std::uint8_t& byte : bytes) set_byte(&byte, 8);
  };
  for (std::size_t engine = 0; engine <= engine_of(Side::lock); ++engine) set_bytes(state.situation[engine]);
  if (bounds_.store_restores > 0) set_bytes(state.backup[0]);
  if (bounds_.issuer_restores > 0 && !exploration_->is_shared()) set_bytes(state.backup[engine_of(Side::lock)]);
  if (keeps_granted_) set_bytes(state.granted);
  return bits;
}

std::vector<std::byte> FileWorld::initial_states() const {
  const std::lock_guard lock(exploration_->mutex());
  std::vector<std::byte> bytes(stride);  // zeros, also where a state has bytes that are no field
  FileState& state = state_at(bytes.data());
  for (std::size_t f = 0; f < fault_count; ++f) {
    state.model.left[f] = static_cast<std::uint8_t>(bounds_.*faults[f].budget);
  }
  for (const Side side : {Side::stores, Side::lock}) {
    const Number start = exploration_->situations(side).start();
    set_situation(state, side, start);
    static_cast<void>(see(state, side, start));
  }
  if (bounds_.store_restores > 0) state.backup[0] = state.situation[0];
  if (bounds_.issuer_restores > 0) state.backup[1] = state.situation[1];
  return bytes;
}

std::size_t FileWorld::max_successors() const {
  return static_cast<std::size_t>(bounds_.workers) * 4 + fault_moves_.size();
}

void FileWorld::expand(const std::byte* states, std::size_t count, explorer::Successors& out) const {
  const std::lock_guard lock(exploration_->mutex());
  for (std::size_t i = 0; i < count; ++i) {
    const FileState& before = state_at(states + i * stride);
    const auto try_move = [&](explorer::Move move) {
      std::memcpy(out.next(), &before, stride);
      Taking taking{state_at(out.next())};
      if (take_any(taking.state, move, taking))
        out.commit(static_cast<std::uint32_t>(i), move, taking.targets & judged_);
    };
    for (const explorer::Move move : fault_moves_) try_move(move);
    for (int w = 0; w < bounds_.workers; ++w) {
      const std::size_t step = step_of(before, w);
      try_move({static_cast<std::int16_t>(w), static_cast<std::uint16_t>(step)});
      for (const std::uint16_t action : variants_[step]) try_move({static_cast<std::int16_t>(w), action});
    }
  }
}

bool FileWorld::take_any(FileState& state, explorer::Move move, Taking& taking) const {
  if (move.action >= actions_.size()) return false;
  const ActionKind kind = actions_[move.action].kind;
  if (kind == ActionKind::arrival) {
    return move.actor == explorer::Move::environment && arrive(taking, move.action - first_arrival_);
  }
  const bool of_worker = is_visit(kind) || kind == ActionKind::sent_late || kind == ActionKind::crash;
  if (of_worker ? move.actor < 0 || move.actor >= bounds_.workers : move.actor != explorer::Move::environment)
    return false;
  if (of_worker && kind != ActionKind::crash) {
    const std::size_t step = kind == ActionKind::worker_step ? move.action : varied_[move.action];
    return step_of(state, move.actor) == step && take_step_as(taking, kind, move.actor, step);
  }
  switch (kind) {
    case ActionKind::expiry: return expire(taking);
    case ActionKind::crash: return crash(taking, move.actor);
    case ActionKind::backup:
    case ActionKind::restore:
      if (actions_[move.action].components[0] != 0) return restore(taking, kind, Side::stores);
      return file_.issuer ? restore(taking, kind, Side::lock) : restore_model_issuer(taking, kind);
    default: return false;
  }
}

/// A step of a worker's, with the fault that `kind` is.
bool FileWorld::take_step_as(Taking& taking, ActionKind kind, int worker, std::size_t step) const {
  switch (kind) {
    case ActionKind::lost_reply: return spend(taking.state, Fault::lost_reply) && take_step(taking, worker, step, true);
    case ActionKind::sent_late: return spend(taking.state, Fault::late_request) && send_late(taking, worker, step);
    case ActionKind::duplicate:
      return spend(taking.state, Fault::duplicate) && put_under_way(taking.state, worker, step) &&
             take_step(taking, worker, step, false);
    default: return take_step(taking, worker, step, false);
  }
}

bool FileWorld::take(std::byte* bytes, explorer::Move move, StepTold& told) const {
  std::vector<std::byte> after(bytes, bytes + stride);
  StepTold made;
  {
    const std::lock_guard lock(exploration_->mutex());
    Taking taking{state_at(after.data()), 0, &made};
    if (!take_any(taking.state, move, taking)) return false;
    made.targets = taking.targets & judged_;
  }
  made.move = move;
  made.kind = actions_[move.action].kind;
  made.action = actions_[move.action].name;
  made.components = actions_[move.action].components;
  made.manner = actions_[move.action].manner;
  made.before = tell(bytes);
  made.after = tell(after.data());
  const FileState& before = state_at(bytes);
  if (made.kind == ActionKind::arrival) {
    const auto& request = before.model.under_way[move.action - first_arrival_];
    made.step = request.step - 1u;
    made.arrived = actions_[made.step].name;
    made.components = actions_[made.step].components;
    made.manner = actions_[made.step].manner;
    tell_sender(request.process, made);
  } else if (move.actor >= 0 && made.kind != ActionKind::crash) {
    made.step = step_of(before, move.actor);
    tell_sender(process_of(before, move.actor), made);
  }
  told = std::move(made);
  std::copy(after.begin(), after.end(), bytes);
  return true;
}

void FileWorld::tell_sender(const Process& process, StepTold& told) {
  if (!told.granted) told.lease = process.lease.number();
  if (process.token.exists()) told.sent.push_back({"token", "token", process.token.number()});
}

StateTold FileWorld::tell(const std::byte* bytes) const {
  const std::lock_guard lock(exploration_->mutex());
  const FileState& state = state_at(bytes);
  StateTold told;
  ComponentTold issuer{file_.issuer ? file_.issuer->name : "issuer", {}};
  if (!file_.issuer) issuer.fields.push_back({"counter", "token", state.model.issuer.counter.number()});
  issuer.fields.push_back({"holder", "handle", FieldNumber::of(state.model.issuer.holder)});
  told.components.push_back(issuer);
  const std::vector<Answer>& seen =
      exploration_->seen(exploration_->situations(Side::stores).committed(situation(state, Side::stores)));
  for (std::size_t s = 0; s < file_.stores.size(); ++s) {
    ComponentTold store{file_.stores[s].name, {}};
    const Answer& answer = seen[s];
    for (const std::string& name : answer.columns) {
      const Cell cell = column(answer, name);
      const int author = numbered(cell, 'v');
      if (author != 0) {
        store.fields.push_back({name, "value", author});
      } else {
        store.fields.push_back({name,
                                name == "effect"  ? "effect"
                                : name == "value" ? "value"
                                                  : "field",
                                name == "effect" ? numbered("e" + cell.value_or("0"), 'e') : 0, cell.value_or("none")});
      }
    }
    told.components.push_back(store);
  }
  for (int w = 0; w < bounds_.workers; ++w) {
    const Process& process = state.model.processes[static_cast<std::size_t>(w)];
    WorkerTold worker{"", actions_[step_of(state, w)].name, process.token.number(), process.lease.number(), {}};
    for (std::size_t k = 0; k < kept_names_.size(); ++k) {
      const int number = process.memory.kept[k].number();
      worker.memory.push_back({kept_names_[k], "field", number, exploration_->value(number).value_or("none")});
    }
    told.workers.push_back(worker);
  }
  for (const auto& each : state.model.under_way) {
    if (each.step != 0) told.under_way.push_back({actions_[each.step - 1u].name, each.process.lease.number()});
  }
  told.newest_lease = state.model.newest.number();
  told.holder = FieldNumber::of(state.model.issuer.holder);
  return told;
}

std::unique_ptr<World> FileWorld::changed(const Change&) const {
  throw UsageError(fmt::format("{}: a design file has no mutants: what it says is what the store runs", file_.path));
}

std::string FileWorld::account() const {
  const std::lock_guard lock(exploration_->mutex());
  return exploration_->account();
}

// --- what the model knows of the store -------------------------------------------------------------------------------

FileWorld::Changes FileWorld::see(FileState& state, Side side, Number content) const {
  Changes changes;
  if (file_.issuer && (side == Side::lock || exploration_->is_shared())) see_holder(state, content);
  if (side == Side::lock && !exploration_->is_shared()) return changes;
  const std::vector<Answer>& seen = exploration_->seen(content);
  auto& model = state.model;
  const auto look = [&]<std::size_t S>() {
    if (S >= file_.stores.size()) return;
    auto& row = detail::get<S>(model.rows);
    const FileShape::Store::Row before = row;
    const Answer& store = seen[S];
    row.value = settled_value(numbered(column(store, "value"), 'v'));
    row.effect = effect_of(column(store, "effect"));
    if (!detail::same_fields(row.value, before.value)) changes.values |= 1u << S;
    if (FieldNumber::of(row.effect) > FieldNumber::of(before.effect)) changes.added |= 1u << S;
    if (!detail::same_fields(row, before)) changes.changed |= 1u << S;
  };
  [&]<std::size_t... S>(std::index_sequence<S...>) {
    (look.template operator()<S>(), ...);
  }(std::make_index_sequence<max_stores>{});
  auto& reader = detail::get<max_stores>(model.rows);
  reader = {};
  if (file_.reader.empty()) {
    reader.parts[0] = detail::get<0>(model.rows).value;
    reader.count = Count<max_reader_parts>(1);
  } else {
    const Answer& read = seen[file_.stores.size()];
    int count = 0;
    for (std::size_t c = 0; c < read.columns.size() && count < max_reader_parts; ++c) {
      const Cell cell = read.table.empty() ? Cell{} : read.table[0][c];
      reader.parts[static_cast<std::size_t>(count++)] = settled_value(numbered(cell, 'v'));
    }
    reader.count = Count<max_reader_parts>(count);
  }
  return changes;
}

void FileWorld::see_holder(FileState& state, Number content) const {
  state.model.issuer.holder = Unique(holder_in(state, content).number());
}

/// Whose grant holds the lock; nobody's where it is free, or taken by somebody who has not been granted it yet.
Lease FileWorld::holder_in(const FileState& state, Number content) const {
  const Cell cell = exploration_->holder(content);
  if (!cell) return {};
  if (const int lease = numbered(cell, 'h'); lease != 0) return Lease(lease);
  if (const auto token = whole_number(*cell); token && keeps_granted_) {
    for (int lease = state.model.newest.number(); lease > 0; --lease) {
      if (state.granted[static_cast<std::size_t>(lease - 1)] == *token) return Lease(lease);
    }
    return {};
  }
  throw UsageError(
      fmt::format("{}: the issuer's `holder` gives '{}', which is no :handle: a lock has to keep the "
                  "handle of the grant that holds it, and NULL or no row when it is free; only where no "
                  "step of its acquire sends :handle, the grant's token does, too",
                  file_.path, *cell));
}

std::size_t FileWorld::step_of(const FileState& state, int worker) const {
  return places_.step_at(state.model.processes[static_cast<std::size_t>(worker)].place);
}

FileWorld::Process& FileWorld::process_of(FileState& state, int actor) {
  const auto index = static_cast<std::size_t>(actor);
  return actor < max_workers ? state.model.processes[index] : state.model.under_way[index - max_workers].process;
}

const FileWorld::Process& FileWorld::process_of(const FileState& state, int actor) {
  return process_of(const_cast<FileState&>(state), actor);
}

/// The worker that an actor is, or was.
int FileWorld::sender_of(const FileState& state, int actor) {
  if (actor < max_workers) return actor;
  return FieldNumber::of(state.model.under_way[static_cast<std::size_t>(actor - max_workers)].sender) - 1;
}

FileWorld::Number FileWorld::situation(const FileState& state, Side side) const {
  Number number = 0;
  std::memcpy(&number, state.situation[engine_of(side)].data(), sizeof number);
  return number;
}

void FileWorld::set_situation(FileState& state, Side side, Number number) const {
  std::memcpy(state.situation[engine_of(side)].data(), &number, sizeof number);
}

FileWorld::Number FileWorld::committed(const FileState& state, Side side) const {
  return exploration_->situations(side).committed(situation(state, side));
}

bool FileWorld::is_pending(const FileState& state, Side side, int worker) const {
  return exploration_->situations(side).is_pending(situation(state, side), session_of(worker));
}

bool FileWorld::is_open(const FileState& state, Side side, int worker) const {
  return exploration_->situations(side).is_open(situation(state, side), session_of(worker));
}

}  // namespace fencecheck::engines
