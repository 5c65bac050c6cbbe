// The world of a design D: all of its workers' steps interleaved with all faults that the bounds allow.
//
// Everything that depends on D is decided at compile time; bounds and switches are looked up at run time. The hot path
// is `expand`: for each worker the step at its place is run on a copy of the state, right in the explorer's buffer.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fencecheck/explorer/mutants.h>
#include <fencecheck/model/applies.h>
#include <fencecheck/model/call.h>
#include <fencecheck/model/places.h>
#include <fencecheck/model/state.h>
#include <fencecheck/model/switches.h>
#include <fencecheck/model/symmetry.h>
#include <fencecheck/model/telling_of.h>
#include <fencecheck/model/world.h>

namespace fencecheck {

template <class D, class Properties>
class WorldOf;

template <class D, class... P>
class WorldOf<D, properties<P...>> final : public World {
 public:
  using Switches = typename detail::SwitchesOf<D>::type;
  using Memory = typename detail::MemoryOf<D>::type;
  using StateType = State<D, properties<P...>>;

  WorldOf(const Bounds& bounds, const Switches& switches) : bounds_(bounds), switches_(switches) {
    describe_steps(std::make_index_sequence<step_count>{});
    if (places_.count() == 0) throw UsageError("with these switches the design's program has no steps");
    describe_faults();
  }

  // --- explorer::Model -----------------------------------------------------------------------------------------------

  std::size_t state_bytes() const override { return stride; }

  std::vector<std::uint8_t> field_bits() const override {
    StateType state{};
    std::vector<std::uint8_t> bits(stride, 0);
    const auto set_byte = [&](const void* field, int value) {
      bits[static_cast<std::size_t>(static_cast<const char*>(field) - reinterpret_cast<const char*>(&state))] =
          static_cast<std::uint8_t>(value);
    };
    const auto set = [&](auto& part) {
      for_each_field(part, [&](const auto& field) {
        set_byte(&field, fencecheck::field_bits<std::remove_cvref_t<decltype(field)>>(bounds_));
      });
    };
    set(state.issuer);
    if (bounds_.issuer_restores > 0) set(state.issuer_backup);
    set(state.newest);
    set_byte(&state.issuer_restores_left, bits_for(bounds_.issuer_restores));
    set_byte(&state.store_restores_left, bits_for(bounds_.store_restores));
    for_each_property([&]<std::size_t I>() { set(detail::get<I>(state.ledgers)); });
    for_each_store([&]<std::size_t S>() {
      if (S >= stores_in_use()) return;
      set(detail::get<S>(state.rows));
      if (bounds_.store_restores > 0) set(detail::get<S>(state.row_backups));
      for_each_property([&]<std::size_t I>() { set(detail::get<I>(state.store_ledgers[S])); });
    });
    for (int w = 0; w < bounds_.workers; ++w) {
      Process<D>& worker = state.workers[static_cast<std::size_t>(w)];
      set_byte(&worker.place, bits_for(places_.count() - 1));
      set(worker.token);
      set(worker.lease);
      set(worker.memory);
    }
    narrow(bits);
    return bits;
  }

  std::vector<std::byte> initial_states() const override {
    StateType state{};
    state.issuer_restores_left = static_cast<std::uint8_t>(bounds_.issuer_restores);
    state.store_restores_left = static_cast<std::uint8_t>(bounds_.store_restores);
    std::vector<std::byte> bytes(stride);
    std::memcpy(bytes.data(), &state, sizeof state);
    return bytes;
  }

  std::size_t max_successors() const override {
    return static_cast<std::size_t>(bounds_.workers) + 3 + 2 * stores_in_use();
  }
  std::size_t action_count() const override { return actions_.size(); }

  void expand(const std::byte* states, std::size_t count, explorer::Successors& out) const override {
    for (std::size_t i = 0; i < count; ++i) {
      const StateType& state = *reinterpret_cast<const StateType*>(states + i * stride);
      const auto parent = static_cast<std::uint32_t>(i);
      expand_faults(state, parent, out);
      for (int w = 0; w < bounds_.workers; ++w) {
        run_at_place_[state.workers[static_cast<std::size_t>(w)].place](*this, state, w, parent, out);
      }
    }
  }

  void canonicalize(std::byte* states, std::size_t count) const override {
    for (std::size_t i = 0; i < count; ++i) {
      sort_workers(*reinterpret_cast<StateType*>(states + i * stride), bounds_.workers);
    }
  }

  std::uint64_t orbit_size(const std::byte* state) const override {
    return count_orderings(*reinterpret_cast<const StateType*>(state), bounds_.workers);
  }

  // --- World ---------------------------------------------------------------------------------------------------------

  const std::vector<StepText>& actions() const override { return actions_; }
  std::size_t component_count() const override { return 1 + stores_in_use(); }

  bool take(std::byte* bytes, explorer::Move move, StepTold& told) const override {
    const std::vector<std::byte> before(bytes, bytes + stride);
    StateType& state = *reinterpret_cast<StateType*>(bytes);
    StepLog log;
    explorer::Targets targets = 0;
    bool possible = false;
    if (move.action < step_count && move.actor >= 0 && move.actor < bounds_.workers) {
      const std::uint8_t place = state.workers[static_cast<std::size_t>(move.actor)].place;
      possible = places_.step_at(place) == move.action && take_[move.action](*this, state, move.actor, targets, &log);
    } else if (move.action >= step_count && move.actor == explorer::Move::environment) {
      possible = take_fault(state, move.action);
    }
    if (!possible) {
      std::copy(before.begin(), before.end(), bytes);
      return false;
    }
    told = StepTold{};
    told.move = move;
    told.kind = actions_[move.action].kind;
    told.action = actions_[move.action].name;
    told.components = actions_[move.action].components;
    told.targets = targets;
    told.before = tell(before.data());
    told.after = tell(bytes);
    if (move.actor >= 0) tell_visit(log, told);
    return true;
  }

  StateTold tell(const std::byte* bytes) const override {
    const StateType& state = *reinterpret_cast<const StateType*>(bytes);
    StateTold told;
    told.components.push_back({component_name(0), fields_of(state.issuer)});
    for_each_store([&]<std::size_t S>() {
      if (S < stores_in_use())
        told.components.push_back({component_name(1 + S), fields_of(detail::get<S>(state.rows))});
    });
    for (int w = 0; w < bounds_.workers; ++w) {
      const Process<D>& worker = state.workers[static_cast<std::size_t>(w)];
      told.workers.push_back({actions_[places_.step_at(worker.place)].name, worker.token.number(),
                              worker.lease.number(), fields_of(worker.memory)});
    }
    told.newest_lease = state.newest.number();
    told.holder = FieldNumber::of(D::Issuer::holder(state.issuer));
    return told;
  }

  /// The name of component 0, the issuer, or 1 + s, store s.
  std::string component_name(std::size_t component) const {
    std::string name = "issuer";
    if constexpr (requires { D::Issuer::name; }) {
      if (component == 0) return std::string(D::Issuer::name);
    }
    for_each_store([&]<std::size_t S>() {
      if (component != S + 1) return;
      using Store = typename D::Stores::template at<static_cast<int>(S)>;
      name = "store";
      if (stores_in_use() > 1) name.append(" ").append(std::to_string(S + 1));
      if constexpr (requires { Store::name; }) name = std::string(Store::name);
    });
    return name;
  }

  /// What D is judged by, and whether it has anything that a property could judge.
  static std::vector<PropertyText> property_texts() { return {PropertyText{P::info, applies<P, D>()}...}; }

  static constexpr std::size_t step_count = std::tuple_size_v<decltype(detail::flat_program<D>())>;

 private:
  static constexpr auto program_ = detail::flat_program<D>();
  static constexpr std::size_t stride = (sizeof(StateType) + 7) / 8 * 8;
  static constexpr std::uint16_t expire_action = step_count;
  static constexpr std::uint16_t back_up_issuer = step_count + 1;
  static constexpr std::uint16_t restore_issuer = step_count + 2;
  static constexpr std::uint16_t first_store_fault = step_count + 3;

  static_assert(
      std::is_trivially_copyable_v<StateType> && alignof(StateType) == 1,
      "fencecheck: a row, a record or a worker's memory must be a plain value: every field of it is one byte, "
      "such as Token, Unique, Value, Flag or Count<N>");
  static_assert(step_count <= 200, "fencecheck: a program has at most 200 steps");

  // What is noted of a worker's visit when somebody wants to be told.
  struct StepLog {
    std::vector<GuardOutcome> guards;
    Request request;
    Reply reply = Reply::next;
    std::vector<int> wrote;
  };

  using Call = detail::Call<D, StateType>;

  template <class F>
  static constexpr void for_each_store(F&& f) {
    [&]<std::size_t... S>(std::index_sequence<S...>) {
      (f.template operator()<S>(), ...);
    }(std::make_index_sequence<D::Stores::count>{});
  }
  // Of the properties that apply to D: the others are not judged, and their ledgers take no bits.
  template <class F>
  static constexpr void for_each_property(F&& f) {
    const auto visit = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
      if constexpr (applies<std::tuple_element_t<I, std::tuple<P...>>, D>()) f.template operator()<I>();
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (visit(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<sizeof...(P)>{});
  }

  std::size_t stores_in_use() const {
    if constexpr (requires { D::stores_in_use(switches_); }) {
      return static_cast<std::size_t>(D::stores_in_use(switches_));
    } else {
      return D::Stores::count;
    }
  }

  // --- one step ------------------------------------------------------------------------------------------------------

  template <std::size_t I>
  static void run_step(const WorldOf& world, const StateType& before, int worker, std::uint32_t parent,
                       explorer::Successors& out) {
    StateType& after = copy(before, out);
    explorer::Targets targets = 0;
    if (!take_step<I>(world, after, worker, targets, nullptr)) return;
    out.commit(parent, {static_cast<std::int16_t>(worker), static_cast<std::uint16_t>(I)}, targets);
  }

  [[gnu::always_inline]] static StateType& copy(const StateType& state, explorer::Successors& out) {
    std::memcpy(out.next(), &state, stride);  // states lie `stride` bytes apart, and a round number is copied faster
    return *reinterpret_cast<StateType*>(out.next());
  }

  /// Runs step I for `worker` on `state`, judges it, and moves the worker on. False where the step has to wait; `state`
  /// is then spoilt.
  template <std::size_t I>
  [[gnu::always_inline]] static bool take_step(const WorldOf& world, StateType& state, int worker,
                                               explorer::Targets& targets, StepLog* log) {
    constexpr const auto& entry = std::get<I>(program_);
    using Action = decltype(entry.visit.action);
    using Parameters = typename detail::CallTraits<Action>::Parameters;
    constexpr bool grants = detail::has_parameter<Grant, Parameters>;

    Process<D>& self = state.workers[static_cast<std::size_t>(worker)];
    const Lease newest_before = state.newest;
    const Lease lease_before = self.lease;
    const Lease holder_before(FieldNumber::of(D::Issuer::holder(state.issuer)));
    if constexpr (grants) {
      if (newest_before.number() >= world.bounds_.leases) return false;
    }
    const int author = lease_before.number();
    freshen_own_values(self.memory, author);
    Call call{state,
              world.switches_,
              &self,
              {self.token, Unique(author), payload(state, author), OwnerAccess::of(worker)},
              {Unique(newest_before.number() + 1), Token{}},
              log == nullptr ? Guards() : Guards(&log->guards)};
    const Reply reply = detail::invoke(entry.visit, call);
    if (reply == Reply::wait) return false;
    if constexpr (grants) {
      if ((reply == Reply::granted) != (D::Issuer::holder(state.issuer) == call.grant.handle)) {
        refuse_step(entry.visit.name, "it must answer `granted` exactly when it has stored the grant's handle");
      }
    } else if (reply == Reply::granted) {
      refuse_step(entry.visit.name, "it answers `granted`, and takes no Grant&");
    }

    if (grants && reply == Reply::granted) {
      state.newest = Lease(newest_before.number() + 1);
      self.lease = state.newest;
      self.token = call.grant.token;
    }
    const IssuerVisit at_issuer{.lease = lease_before,
                                .newest = newest_before,
                                .granted = reply == Reply::granted,
                                .token = call.grant.token,
                                .may_change = detail::changes_record(entry.visit) && !grants,
                                .holder_before = holder_before,
                                .holder_after = Lease(FieldNumber::of(D::Issuer::holder(state.issuer))),
                                .reply = reply};
    const StoreVisit at_store{.store = 0,
                              .lease = self.lease,
                              .newest = state.newest,
                              .token = self.token,
                              .wrote = false,
                              .reply = reply,
                              .compared = call.guards.asked() != 0};
    targets = judge(entry.visit, state, at_issuer, at_store, log);
    settle_values(self.memory);
    if (log != nullptr) {
      log->request = call.request;
      log->reply = reply;
    }
    world.move_on(I, reply, self);
    return true;
  }

  [[noreturn]] static void refuse_step(std::string_view step, const char* why) {
    throw UsageError("the step \"" + std::string(step) + "\" contradicts itself: " + why);
  }

  void move_on(std::size_t step, Reply reply, Process<D>& self) const {
    self.place = places_.after(step, reply);
    if (self.place != 0) return;
    self.token = Token{};  // the program is over: the worker forgets everything and starts anew
    self.lease = Lease{};
    self.memory = Memory{};
  }

  // --- judging -------------------------------------------------------------------------------------------------------

  template <class Action, class... C>
  static explorer::Targets judge(const Visit<Action, C...>&, StateType& state, const IssuerVisit& at_issuer,
                                 const StoreVisit& at_store, StepLog* log) {
    explorer::Targets targets = 0;
    const auto visit_component = [&]<class One>(One) {
      if constexpr (std::is_same_v<One, TheIssuer>) {
        settle_values(state.issuer);
        targets |= judge_issuer(state, at_issuer);
      } else {
        StoreVisit visit = at_store;
        visit.store = One::index;
        visit.wrote = settle_values(detail::component(state, One{}));
        if (visit.wrote && log != nullptr) log->wrote.push_back(One::index);
        targets |= judge_store<One::index>(state, visit);
      }
    };
    (visit_component(C{}), ...);
    return targets;
  }

  static Value payload(StateType& state, int author) {
    Value value = ValueAccess::fresh(author);
    if (!explorer::mutated(explorer::Mutant::same_value_is_no_write)) return value;
    for_each_store([&]<std::size_t S>() {
      for_each_field(detail::get<S>(state.rows), [&](const auto& field) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, Value>) {
          if (FieldNumber::of(field) == author) ValueAccess::settle(value);
        }
      });
    });
    return value;
  }

  // Whether this step stored the payload that was sent with it; from here on the value is like any other.
  template <class Part>
  static bool settle_values(Part& part) {
    bool was_fresh = false;
    for_each_field(part, [&](auto& field) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, Value>) {
        was_fresh |= ValueAccess::is_fresh(field);
        ValueAccess::settle(field);
      }
    });
    return was_fresh;
  }

  // A worker that kept its payload in its memory and stores it in a later step has written it all the same.
  static void freshen_own_values(Memory& memory, int author) {
    for_each_field(memory, [&](auto& field) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, Value>) {
        if (author != 0 && FieldNumber::of(field) == author) field = ValueAccess::fresh(author);
      }
    });
  }

  static explorer::Targets judge_issuer(StateType& state, const IssuerVisit& visit) {
    explorer::Targets targets = 0;
    for_each_property([&]<std::size_t I>() {
      using Property = std::tuple_element_t<I, std::tuple<P...>>;
      if constexpr (requires { Property::at_issuer(visit); }) {
        targets |= target(I, Property::at_issuer(visit));
      } else if constexpr (requires { Property::at_issuer(visit, detail::get<I>(state.ledgers)); }) {
        targets |= target(I, Property::at_issuer(visit, detail::get<I>(state.ledgers)));
      }
    });
    return targets;
  }

  template <std::size_t S>
  static explorer::Targets judge_store(StateType& state, const StoreVisit& visit) {
    explorer::Targets targets = 0;
    for_each_property([&]<std::size_t I>() {
      using Property = std::tuple_element_t<I, std::tuple<P...>>;
      if constexpr (requires { Property::at_store(visit); }) {
        targets |= target(I, Property::at_store(visit));
      } else if constexpr (requires { Property::at_store(visit, detail::get<I>(state.store_ledgers[S])); }) {
        targets |= target(I, Property::at_store(visit, detail::get<I>(state.store_ledgers[S])));
      }
    });
    return targets;
  }

  static explorer::Targets target(std::size_t property, Judgement judgement) {
    if (judgement == Judgement::violated) return explorer::Targets{1} << violated_target(property);
    if (judgement == Judgement::handled) return explorer::Targets{1} << handled_target(property);
    return 0;
  }

  // --- faults --------------------------------------------------------------------------------------------------------

  void expand_faults(const StateType& state, std::uint32_t parent, explorer::Successors& out) const {
    const auto try_fault = [&](std::uint16_t action) {
      if (take_fault(copy(state, out), action)) out.commit(parent, {explorer::Move::environment, action}, 0);
    };
    if (bounds_.expiry && D::Issuer::holder(state.issuer).exists()) try_fault(expire_action);
    if (state.issuer_restores_left > 0) {
      try_fault(back_up_issuer);
      try_fault(restore_issuer);
    }
    if (state.store_restores_left > 0) {
      for (std::size_t f = 0; f < 2 * stores_in_use(); ++f) {
        try_fault(static_cast<std::uint16_t>(first_store_fault + f));
      }
    }
  }

  /// Makes the fault happen. False, and `state` unchanged, where it cannot.
  bool take_fault(StateType& state, std::uint16_t action) const {
    if (action == expire_action) {
      if (!bounds_.expiry || !D::Issuer::holder(state.issuer).exists()) return false;
      D::Issuer::expire(state.issuer);
      return true;
    }
    if (action == back_up_issuer || action == restore_issuer) return take_issuer_fault(state, action);
    bool taken = false;
    for_each_store([&]<std::size_t S>() {
      if (S >= stores_in_use() || (action - first_store_fault) / 2 != static_cast<int>(S)) return;
      taken = take_store_fault<S>(state, (action - first_store_fault) % 2 == 1);
    });
    return taken;
  }

  // Neither makes sense while the backup is what the component holds anyway.
  bool take_issuer_fault(StateType& state, std::uint16_t action) const {
    const typename D::Issuer::Backup current = D::Issuer::backup(state.issuer);
    if (state.issuer_restores_left == 0 || same_fields(current, state.issuer_backup)) return false;
    if (action == back_up_issuer) {
      state.issuer_backup = current;
      return true;
    }
    using Parameters = typename detail::CallTraits<decltype(restore_visit().action)>::Parameters;
    static_assert(!detail::has_parameter<Request, Parameters> && !detail::has_parameter<Grant, Parameters> &&
                      !detail::has_parameter<Memory, Parameters>,
                  "fencecheck: a restore is nobody's visit: it takes rows, records, const Backup& and const Switches&, "
                  "no Request, Grant or Memory");
    Call call{state, switches_, nullptr, {}, {}, Guards()};
    detail::invoke(restore_visit(), call);
    --state.issuer_restores_left;
    return true;
  }

  static constexpr auto restore_visit() {
    if constexpr (requires { D::restore_issuer; }) {
      return D::restore_issuer;
    } else {
      return at(issuer, D::Issuer::restore);
    }
  }

  template <std::size_t S>
  bool take_store_fault(StateType& state, bool restore) const {
    auto& row = detail::get<S>(state.rows);
    auto& backup = detail::get<S>(state.row_backups);
    if (state.store_restores_left == 0 || same_fields(row, backup)) return false;
    if (!restore) {
      backup = row;
      return true;
    }
    row = backup;
    if (!explorer::mutated(explorer::Mutant::restore_keeps_budget)) --state.store_restores_left;
    return true;
  }

  template <class T>
  static bool same_fields(const T& a, const T& b) {
    if constexpr (std::is_empty_v<T>) {
      return true;
    } else {
      return std::memcmp(&a, &b, sizeof a) == 0;
    }
  }

  // --- names and places ----------------------------------------------------------------------------------------------

  template <std::size_t... I>
  void describe_steps(std::index_sequence<I...>) {
    (add_step<I>(), ...);
    places_ = Places(actions_);
    constexpr std::array<RunStep, step_count> run{&WorldOf::run_step<I>...};
    for (int place = 0; place < places_.count(); ++place) {
      run_at_place_[static_cast<std::size_t>(place)] = run[places_.step_at(static_cast<std::uint8_t>(place))];
    }
  }

  template <std::size_t I>
  void add_step() {
    constexpr const auto& entry = std::get<I>(program_);
    StepText text;
    text.name = std::string(entry.visit.name);
    text.components = component_numbers(entry.visit);
    text.first_of_visit = entry.first_of_group;
    text.in_finally = entry.in_finally;
    text.go_on = entry.go_on;
    text.present = entry.conditions.hold(switches_);
    actions_.push_back(std::move(text));
    take_[I] = [](const WorldOf& world, StateType& state, int worker, explorer::Targets& targets, StepLog* log) {
      return take_step<I>(world, state, worker, targets, log);
    };
  }

  template <class Action, class... C>
  static std::vector<int> component_numbers(const Visit<Action, C...>&) {
    const auto number = []<class One>(One) {
      if constexpr (std::is_same_v<One, TheIssuer>) {
        return 0;
      } else {
        return 1 + One::index;
      }
    };
    return {number(C{})...};
  }

  void describe_faults() {
    const auto add = [&](ActionKind kind, std::string_view name, std::vector<int> components, bool present) {
      StepText text;
      text.kind = kind;
      text.name = std::string(name);
      text.components = std::move(components);
      text.present = present;
      actions_.push_back(std::move(text));
    };
    const bool issuer_restores = bounds_.issuer_restores > 0;
    const bool store_restores = bounds_.store_restores > 0;
    add(ActionKind::expiry, "lease expires", {0}, bounds_.expiry);
    add(ActionKind::backup, "backup taken", {0}, issuer_restores);
    add(ActionKind::restore, restore_visit().name, component_numbers(restore_visit()), issuer_restores);
    for (std::size_t s = 0; s < stores_in_use(); ++s) {
      add(ActionKind::backup, "backup taken", {static_cast<int>(s) + 1}, store_restores);
      add(ActionKind::restore, "restored from backup", {static_cast<int>(s) + 1}, store_restores);
    }
  }

  void tell_visit(const StepLog& log, StepTold& told) const {
    const auto worker = static_cast<std::size_t>(told.move.actor);
    for (const GuardOutcome& guard : log.guards) told.guards.push_back({std::string(guard.name), guard.passed});
    told.granted = log.reply == Reply::granted;
    told.lease = told.granted ? told.after.newest_lease : told.before.workers[worker].lease;
    told.wrote = log.wrote;
    told.reply = reply_name(log.reply);
    if (told.granted) return;
    if (hands_out_tokens<D>()) told.sent.push_back({"token", "token", log.request.token.number()});
    told.sent.push_back({"handle", "handle", FieldNumber::of(log.request.handle)});
    told.sent.push_back({"value", "value", FieldNumber::of(log.request.value)});
    if (detail::has_owner<StateType>()) told.sent.push_back({"owner", "owner", FieldNumber::of(log.request.owner)});
  }

  static void narrow(std::vector<std::uint8_t>& bits) {
    if (!explorer::mutated(explorer::Mutant::narrow_field)) return;
    --*std::max_element(bits.begin(), bits.end());
  }

  using RunStep = void (*)(const WorldOf&, const StateType&, int, std::uint32_t, explorer::Successors&);
  using TakeStep = bool (*)(const WorldOf&, StateType&, int, explorer::Targets&, StepLog*);

  Bounds bounds_;
  Switches switches_;
  Places places_;
  std::array<RunStep, step_count> run_at_place_{};
  std::array<TakeStep, step_count> take_{};
  std::vector<StepText> actions_;
};

}  // namespace fencecheck
