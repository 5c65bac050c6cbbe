#include <fencecheck/engines/file_world.h>

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include <fencecheck/engines/plain_text.h>
#include <fencecheck/model/fields.h>
#include <fencecheck/model/values.h>

namespace fencecheck::engines {
namespace {

constexpr std::size_t stride = (sizeof(FileState) + 7) / 8 * 8;
static_assert(std::is_trivially_copyable_v<FileState> && alignof(FileState) == 1);

const FileState& state_at(const std::byte* bytes) { return *reinterpret_cast<const FileState*>(bytes); }
FileState& state_at(std::byte* bytes) { return *reinterpret_cast<FileState*>(bytes); }

std::uint32_t read_number(const std::array<std::uint8_t, 4>& bytes) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data(), sizeof number);
  return number;
}

std::vector<Statement> views_of(const DesignFile& file) {
  std::vector<Statement> views;
  for (const FileStore& store : file.stores) views.push_back({store.read, {}});
  if (!file.reader.empty()) views.push_back({file.reader, {}});
  if (file.issuer) views.push_back({file.issuer->holder, {}});
  return views;
}

/// The number behind a letter: 3 for "v3"; 0 for anything else, such as what was there at the beginning.
int numbered(const Cell& cell, char letter) {
  if (!cell || !cell->starts_with(letter)) return 0;
  const std::int64_t number = whole_number(std::string_view(*cell).substr(1)).value_or(0);
  return number >= 0 && number <= max_leases ? static_cast<int>(number) : 0;
}

/// The first row's column `name`; nothing where there is none.
Cell column(const Answer& answer, const std::string& name) {
  const auto found = std::find(answer.columns.begin(), answer.columns.end(), name) - answer.columns.begin();
  const auto index = static_cast<std::size_t>(found);
  return answer.table.empty() || index >= answer.table[0].size() ? Cell{} : answer.table[0][index];
}

/// The answer to a store's query as one row with named columns. An engine that names none answers with one column
/// `result`: its rows are what `fields` says, or the value.
Answer named(const FileStore& store, const Answer& answer) {
  if (answer.columns != std::vector<std::string>{"result"}) return answer;
  Answer row = answer;
  row.columns = store.fields.empty() ? std::vector<std::string>{"value"} : store.fields;
  row.table.assign(1, {});
  for (std::size_t i = 0; i < row.columns.size(); ++i) {
    const bool there = i < answer.table.size() && !answer.table[i].empty();
    row.table[0].push_back(there ? answer.table[i][0] : Cell{});
  }
  return row;
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

// --- the engine and what is known of it ------------------------------------------------------------------------------

Exploration::Exploration(const DesignFile& file)
    : engine_(open_engine(file.engine)), stores_(file.stores), description_(engine_->description()) {
  for (const std::string& each : file.setup) {
    const std::optional<Answer> answer = engine_->run(outside, {each, {}});
    if (answer && answer->error.empty()) continue;
    throw UsageError(fmt::format("{}: the setup statement `{}` failed: {}", file.path, each,
                                 answer ? answer->error + ": " + answer->message : "it is blocked"));
  }
  situations_ = std::make_unique<Situations>(*engine_, views_of(file));
  const std::vector<Answer>& answers = seen(situations_->start());
  const std::vector<Statement> views = views_of(file);
  for (std::size_t v = 0; v < answers.size(); ++v) {
    if (answers[v].error.empty()) continue;
    throw UsageError(fmt::format("{}: the query `{}` failed: {}: {}", file.path, views[v].text, answers[v].error,
                                 answers[v].message));
  }
  for (std::size_t s = 0; s < file.stores.size(); ++s) {
    const std::vector<std::string>& columns = answers[s].columns;
    const bool judged = std::any_of(columns.begin(), columns.end(),
                                    [](const std::string& name) { return name == "value" || name == "effect"; });
    if (judged) continue;
    throw UsageError(
        fmt::format("{}: the query of store \"{}\" gives no column `value` (whose payload lies there) and none "
                    "`effect` (how often something was done): name one with AS",
                    file.path, file.stores[s].name));
  }
}

const std::vector<Answer>& Exploration::seen(Situations::Number content) {
  const auto [known, is_new] = seen_.try_emplace(content);
  if (!is_new) return known->second;
  known->second = situations_->seen(content);
  for (std::size_t s = 0; s < stores_.size(); ++s) known->second[s] = named(stores_[s], known->second[s]);
  return known->second;
}

int Exploration::number_of(const Cell& cell) {
  if (!cell) return 0;
  const auto known = std::find(values_.begin(), values_.end(), *cell) - values_.begin();
  if (known == static_cast<std::ptrdiff_t>(values_.size())) values_.push_back(*cell);
  if (values_.size() > 255) throw UsageError("the answers that are kept have more than 255 different values");
  return static_cast<int>(known) + 1;
}

Cell Exploration::value(int number) const {
  return number == 0 ? Cell{} : Cell(values_[static_cast<std::size_t>(number - 1)]);
}

// --- the world -------------------------------------------------------------------------------------------------------

FileWorld::FileWorld(const DesignFile& file, std::shared_ptr<Exploration> exploration, const Bounds& bounds,
                     explorer::Targets judged)
    : file_(file), exploration_(std::move(exploration)), bounds_(bounds), judged_(judged) {
  add_actions();
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
  lost_reply_.resize(steps_.size());
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
  if (bounds_.lost_replies == 0) return;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    StepText text = actions_[i];
    text.kind = ActionKind::lost_reply;
    text.name += ", its reply lost";
    lost_reply_[i] = actions_.size();
    actions_.push_back(std::move(text));
  }
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
  for (int w = 0; w < bounds_.workers; ++w) {
    Process& process = model.processes[static_cast<std::size_t>(w)];
    set_byte(&process.place, bits_for(places_.count() - 1));
    set(process.token);
    set(process.lease);
    for (std::size_t k = 0; k < kept_names_.size(); ++k) set(process.memory.kept[k]);
  }
  for (const std::uint8_t& byte : state.situation) set_byte(&byte, 8);
  if (bounds_.store_restores > 0) {
    for (const std::uint8_t& byte : state.backup) set_byte(&byte, 8);
  }
  return bits;
}

std::vector<std::byte> FileWorld::initial_states() const {
  const std::lock_guard lock(exploration_->mutex());
  std::vector<std::byte> bytes(stride);  // zeros, also where a state has bytes that are no field
  FileState& state = state_at(bytes.data());
  for (std::size_t f = 0; f < fault_count; ++f) {
    state.model.left[f] = static_cast<std::uint8_t>(bounds_.*faults[f].budget);
  }
  const Number start = exploration_->situations().start();
  set_situation(state, start);
  std::memcpy(state.backup.data(), &start, sizeof start);
  if (bounds_.store_restores == 0) state.backup = {};
  static_cast<void>(see(state, start));
  return bytes;
}

std::size_t FileWorld::max_successors() const {
  return static_cast<std::size_t>(bounds_.workers) * 2 + fault_moves_.size();
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
      if (lost_reply_[step] != 0) {
        try_move({static_cast<std::int16_t>(w), static_cast<std::uint16_t>(lost_reply_[step])});
      }
    }
  }
}

bool FileWorld::take_any(FileState& state, explorer::Move move, Taking& taking) const {
  if (move.action >= actions_.size()) return false;
  const ActionKind kind = actions_[move.action].kind;
  const bool of_worker = is_visit(kind) || kind == ActionKind::crash;
  if (of_worker ? move.actor < 0 || move.actor >= bounds_.workers : move.actor != explorer::Move::environment)
    return false;
  switch (kind) {
    case ActionKind::worker_step:
      return step_of(state, move.actor) == move.action && take_step(taking, move.actor, move.action, false);
    case ActionKind::lost_reply: {
      const std::size_t step = step_of(state, move.actor);
      if (lost_reply_[step] != move.action || !spend(state, Fault::lost_reply)) return false;
      return take_step(taking, move.actor, step, true);
    }
    case ActionKind::expiry: return expire(taking);
    case ActionKind::crash: return crash(taking, move.actor);
    case ActionKind::backup:
    case ActionKind::restore:
      return actions_[move.action].components[0] == 0 ? restore_issuer(taking, kind) : restore_store(taking, kind);
    default: return false;
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
  if (is_visit(made.kind)) {
    const auto& process = state_at(bytes).model.processes[static_cast<std::size_t>(move.actor)];
    made.step = step_of(state_at(bytes), move.actor);
    if (!made.granted) made.lease = process.lease.number();
    if (process.token.exists()) made.sent.push_back({"token", "token", process.token.number()});
  }
  told = std::move(made);
  std::copy(after.begin(), after.end(), bytes);
  return true;
}

StateTold FileWorld::tell(const std::byte* bytes) const {
  const std::lock_guard lock(exploration_->mutex());
  const FileState& state = state_at(bytes);
  Situations& situations = exploration_->situations();
  const Number where = situation(state);
  StateTold told;
  ComponentTold issuer{file_.issuer ? file_.issuer->name : "issuer", {}};
  if (!file_.issuer) issuer.fields.push_back({"counter", "token", state.model.issuer.counter.number()});
  issuer.fields.push_back({"holder", "handle", FieldNumber::of(state.model.issuer.holder)});
  told.components.push_back(issuer);
  const std::vector<Answer>& seen = exploration_->seen(situations.committed(where));
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
  told.newest_lease = state.model.newest.number();
  told.holder = FieldNumber::of(state.model.issuer.holder);
  return told;
}

std::unique_ptr<World> FileWorld::changed(const Change&) const {
  throw UsageError(fmt::format("{}: a design file has no mutants: what it says is what the store runs", file_.path));
}

std::string FileWorld::account() const {
  const std::lock_guard lock(exploration_->mutex());
  const Situations& s = exploration_->situations();
  return fmt::format("{}: {} statements run, {} outcomes remembered, {} contents, {} situations",
                     exploration_->description(), s.calls(), s.remembered(), s.content_count(), s.count());
}

// --- faults ----------------------------------------------------------------------------------------------------------

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
  if (!holder.exists()) return false;
  if (!file_.issuer) {
    model.issuer.holder = Unique{};
    judge_fault(taking, ActionKind::expiry, holder, nullptr, {});
    return true;
  }
  std::vector<Arrived> others;
  for (const std::string& each : file_.issuer->expire) {
    const Statement statement{each, {}};
    const Situations::Outcome& outcome = exploration_->situations().run(situation(taking.state), outside, statement);
    if (!outcome.answer) return false;  // somebody's lock is in the way: it may expire later
    if (!outcome.answer->error.empty()) {
      if (outcome.answer->error.starts_with("SQLITE_BUSY")) return false;
      throw UsageError(fmt::format("{}: the expire statement `{}` failed: {}: {}", file_.path, each,
                                   outcome.answer->error, outcome.answer->message));
    }
    tell_statement(taking, -1, statement, outcome.answer);
    set_situation(taking.state, outcome.after);
    queue(outcome, taking, others);
  }
  const Changes changes = see(taking.state, exploration_->situations().committed(situation(taking.state)));
  judge_fault(taking, ActionKind::expiry, holder, nullptr, changes);
  conclude_all(taking, std::move(others));
  return true;
}

bool FileWorld::crash(Taking& taking, int worker) const {
  auto& model = taking.state.model;
  Process& self = model.processes[static_cast<std::size_t>(worker)];
  if (self.place == 0 || !spend(taking.state, Fault::crash)) return false;
  const Lease holder(FieldNumber::of(model.issuer.holder));
  std::vector<Arrived> others;
  const Number where = situation(taking.state);
  if (exploration_->situations().is_open(where, worker + 1) ||
      exploration_->situations().is_pending(where, worker + 1)) {
    cut_off(taking, worker, others);
  }
  judge_fault(taking, ActionKind::crash, holder, &self, {});
  conclude_all(taking, std::move(others));
  return true;
}

bool FileWorld::restore_issuer(Taking& taking, ActionKind kind) const {
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

// The whole database at once, and only while nobody has a transaction open: a restore ends every session.
bool FileWorld::restore_store(Taking& taking, ActionKind kind) const {
  FileState& state = taking.state;
  Situations& situations = exploration_->situations();
  const Number where = situation(state);
  if (state.model.left[static_cast<std::size_t>(Fault::store_restore)] == 0 || !situations.at_rest(where)) return false;
  const Number backup = read_number(state.backup);
  if (backup == where) return false;
  const Lease holder(FieldNumber::of(state.model.issuer.holder));
  Changes changes;
  if (kind == ActionKind::backup) {
    std::memcpy(state.backup.data(), &where, sizeof where);
  } else {
    set_situation(state, backup);
    changes = see(state, backup);
    spend(state, Fault::store_restore);
  }
  judge_fault(taking, kind, holder, nullptr, changes);
  return true;
}

// --- what the model knows of the store -------------------------------------------------------------------------------

FileWorld::Changes FileWorld::see(FileState& state, Number content) const {
  const std::vector<Answer>& seen = exploration_->seen(content);
  Changes changes;
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
  if (file_.issuer) model.issuer.holder = Unique(holder_in(content).number());
  return changes;
}

Lease FileWorld::holder_in(Number content) const {
  const Answer& answer = exploration_->seen(content).back();
  const Cell cell = answer.table.empty() || answer.table[0].empty() ? Cell{} : answer.table[0][0];
  if (!cell || cell->empty()) return {};
  const int lease = numbered(cell, 'h');
  if (lease == 0) {
    throw UsageError(
        fmt::format("{}: the issuer's `holder` gives '{}', which is no :handle: a lock has to keep the handle "
                    "of the grant that holds it, and NULL or no row when it is free",
                    file_.path, *cell));
  }
  return Lease(lease);
}

std::size_t FileWorld::step_of(const FileState& state, int worker) const {
  return places_.step_at(state.model.processes[static_cast<std::size_t>(worker)].place);
}

FileWorld::Number FileWorld::situation(const FileState& state) { return read_number(state.situation); }
void FileWorld::set_situation(FileState& state, Number number) {
  std::memcpy(state.situation.data(), &number, sizeof number);
}

}  // namespace fencecheck::engines
