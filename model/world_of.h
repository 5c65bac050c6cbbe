// The world of a design D: all steps of its programs interleaved with all faults that the bounds allow.
//
// Everything that depends on D is decided at compile time; bounds and switches are looked up at run time. The hot path
// is `expand`: for each worker the step at its place is run on a copy of the state, right in the explorer's buffer.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fencecheck/model/actions_of.h>
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
  using Steps = detail::Stepping<D, properties<P...>>;
  using Switches = typename Steps::Switches;
  using StateType = typename Steps::StateType;
  using ProcessType = typename Steps::ProcessType;

  WorldOf(const Bounds& bounds, const Switches& switches, const Change& change = {})
      : steps_(bounds, switches, change), faulting_(steps_), actions_(steps_, stores_in_use()) {
    steps_.lay_out(actions_.texts());
    if (steps_.places(detail::main_program).count() == 0) {
      throw UsageError("with these switches the design's program has no steps");
    }
    fill_tables(std::make_index_sequence<Steps::step_count>{});
  }
  WorldOf(const WorldOf&) = delete;
  WorldOf& operator=(const WorldOf&) = delete;

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
        set_byte(&field, fencecheck::field_bits<std::remove_cvref_t<decltype(field)>>(bounds()));
      });
    };
    const auto set_process = [&](ProcessType& process, int places) {
      set_byte(&process.place, bits_for(places - 1));
      set(process.token);
      set(process.lease);
      if constexpr (detail::has_beside<D>) {
        set_byte(&process.beside.place, bits_for(steps_.places(detail::beside_program).count() - 1));
      }
      set(process.memory);
      Steps::Judging::for_each_property([&]<std::size_t I>() { set(detail::get<I>(process.ledgers)); });
    };
    set(state.issuer);
    if (bounds().issuer_restores > 0) set(state.issuer_backup);
    if (bounds().stale_reads > 0) set(state.replica);
    set(state.newest);
    for (std::size_t f = 0; f < fault_count; ++f) set_byte(&state.left[f], bits_for(bounds().*faults[f].budget));
    set_byte(&state.unreachable, bounds().outages > 0 ? 1 : 0);
    Steps::Judging::for_each_property([&]<std::size_t I>() { set(detail::get<I>(state.ledgers)); });
    Steps::for_each_store([&]<std::size_t S>() {
      if (S >= stores_in_use()) return;
      set(detail::get<S>(state.rows));
      if (bounds().store_restores > 0) set(detail::get<S>(state.row_backups));
      Steps::Judging::for_each_property([&]<std::size_t I>() { set(detail::get<I>(state.store_ledgers[S])); });
    });
    steps_.for_each_actor(
        [&](std::size_t p, int) { set_process(state.processes[p], steps_.places(Steps::program_of(p)).count()); });
    for (int slot = 0; slot < places_under_way(); ++slot) {
      auto& each = state.under_way[static_cast<std::size_t>(slot)];
      set_byte(&each.step, bits_for(static_cast<int>(Steps::step_count)));
      if constexpr (detail::uses_owner<D>()) set(each.sender);
      set_process(each.process, 1);
    }
    narrow(bits);
    return bits;
  }

  std::vector<std::byte> initial_states() const override {
    std::vector<std::byte> bytes(stride);  // zeros, also where a state has bytes that are no field
    StateType& state = *reinterpret_cast<StateType*>(bytes.data());
    for (std::size_t f = 0; f < fault_count; ++f) {
      state.left[f] = static_cast<std::uint8_t>(bounds().*faults[f].budget);
    }
    Steps::for_each_store([&]<std::size_t S>() {
      using Store = typename D::Stores::template at<static_cast<int>(S)>;
      if constexpr (requires { Store::begins(); }) {
        detail::get<S>(state.rows) = Store::begins();
        if (bounds().store_restores > 0) detail::get<S>(state.row_backups) = Store::begins();
      }
    });
    return bytes;
  }

  std::size_t max_successors() const override {
    if (common_) return static_cast<std::size_t>(bounds().workers) + actions_.faults().size();
    constexpr std::size_t ways = 5;  // plain, reply lost, sent late, duplicated, answered by a replica
    return static_cast<std::size_t>(steps_.actor_count()) * 2 * ways + actions_.faults().size() + max_under_way;
  }
  std::size_t action_count() const override { return actions_.texts().size(); }

  void expand(const std::byte* states, std::size_t count, explorer::Successors& out) const override {
    for (std::size_t i = 0; i < count; ++i) {
      const StateType& state = *reinterpret_cast<const StateType*>(states + i * stride);
      const auto parent = static_cast<std::uint32_t>(i);
      for (const explorer::Move move : actions_.faults()) try_fault(state, move, parent, out);
      if (common_) {
        for (int w = 0; w < bounds().workers; ++w) {
          run_at_place_[state.processes[static_cast<std::size_t>(w)].place](*this, state, w, parent, out);
        }
      } else {
        expand_in_every_way(state, parent, out);
      }
    }
  }

  void canonicalize(std::byte* states, std::size_t count) const override {
    for (std::size_t i = 0; i < count; ++i) {
      sort_workers(*reinterpret_cast<StateType*>(states + i * stride), bounds().workers);
    }
  }

  std::uint64_t orbit_size(const std::byte* state) const override {
    return count_orderings(*reinterpret_cast<const StateType*>(state), bounds().workers);
  }

  // --- World ---------------------------------------------------------------------------------------------------------

  const std::vector<StepText>& actions() const override { return actions_.texts(); }
  std::size_t component_count() const override { return 1 + stores_in_use(); }

  bool take(std::byte* bytes, explorer::Move move, StepTold& told) const override {
    if (move.action >= actions_.texts().size()) return false;
    const std::vector<std::byte> before(bytes, bytes + stride);
    StateType& state = *reinterpret_cast<StateType*>(bytes);
    const StateType& old = *reinterpret_cast<const StateType*>(before.data());
    const detail::ActionInfo& action = actions_.info(move.action);
    detail::StepLog log;
    explorer::Targets targets = 0;
    if (!take_any(old, state, action, move.actor, targets, &log)) {
      std::copy(before.begin(), before.end(), bytes);
      return false;
    }
    told = StepTold{};
    told.move = move;
    told.kind = action.kind;
    told.action = step_text(move.action).name;
    told.components = step_text(move.action).components;
    told.targets = targets;
    told.before = tell(before.data());
    told.after = tell(bytes);
    if (action.kind == ActionKind::arrival) {
      const auto& request = old.under_way[action.number];
      const StepText& step = step_text(request.step - 1u);
      told.components = step.components;
      told.arrived = step.name;
      told.step = request.step - 1u;
      told.manner = step.manner;
      tell_visit(log, request.process, told);
    } else if (is_visit(action.kind)) {
      told.step = action.number;
      told.manner = step_text(action.number).manner;
      tell_visit(log, old.processes[steps_.process_of(move.actor)], told);
    } else if (action.kind == ActionKind::sent_late) {
      told.lease = old.processes[steps_.process_of(move.actor)].lease.number();
    }
    return true;
  }

  StateTold tell(const std::byte* bytes) const override {
    const StateType& state = *reinterpret_cast<const StateType*>(bytes);
    StateTold told;
    told.components.push_back({component_name(0), fields_of(state.issuer)});
    Steps::for_each_store([&]<std::size_t S>() {
      if (S < stores_in_use())
        told.components.push_back({component_name(1 + S), fields_of(detail::get<S>(state.rows))});
    });
    steps_.for_each_actor([&](std::size_t p, int) {
      const ProcessType& process = state.processes[p];
      const std::size_t step = steps_.places(Steps::program_of(p)).step_at(process.place);
      told.workers.push_back({p < max_workers ? std::string() : step_text(step).program_name, step_text(step).name,
                              process.token.number(), process.lease.number(), fields_of(process.memory)});
    });
    for (const auto& each : state.under_way) {
      if (each.step != 0) told.under_way.push_back({step_text(each.step - 1u).name, each.process.lease.number()});
    }
    told.newest_lease = state.newest.number();
    told.holder = FieldNumber::of(D::Issuer::holder(state.issuer));
    return told;
  }

  std::unique_ptr<World> changed(const Change& change) const override {
    return std::make_unique<WorldOf>(bounds(), steps_.switches(), change);
  }

  /// The name of component 0, the issuer, or 1 + s, store s.
  std::string component_name(std::size_t component) const {
    std::string name = "issuer";
    if constexpr (requires { D::Issuer::name; }) {
      if (component == 0) return std::string(D::Issuer::name);
    }
    Steps::for_each_store([&]<std::size_t S>() {
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

 private:
  static constexpr std::size_t stride = (sizeof(StateType) + 7) / 8 * 8;

  static_assert(
      std::is_trivially_copyable_v<StateType> && alignof(StateType) == 1,
      "fencecheck: a row, a record or a worker's memory must be a plain value: every field of it is one byte, "
      "such as Token, Unique, Value, Flag or Count<N>");
  static_assert(Steps::step_count <= 200, "fencecheck: a design's programs have at most 200 steps");

  const Bounds& bounds() const { return steps_.bounds(); }
  const StepText& step_text(std::size_t action) const { return actions_.texts()[action]; }
  int places_under_way() const { return steps_.places_under_way(); }

  std::size_t stores_in_use() const {
    if constexpr (requires { D::stores_in_use(steps_.switches()); }) {
      return static_cast<std::size_t>(D::stores_in_use(steps_.switches()));
    } else {
      return D::Stores::count;
    }
  }

  // --- moves in the common way ---------------------------------------------------------------------------------------

  template <std::size_t I>
  static void run_step(const WorldOf& world, const StateType& before, int worker, std::uint32_t parent,
                       explorer::Successors& out) {
    StateType& after = copy(before, out);
    explorer::Targets targets = 0;
    ProcessType& self = after.processes[static_cast<std::size_t>(worker)];
    if (!world.steps_.template take<I, true>(before, after, self, worker, {}, targets)) return;
    out.commit(parent, {static_cast<std::int16_t>(worker), static_cast<std::uint16_t>(I)}, targets);
  }

  [[gnu::always_inline]] static StateType& copy(const StateType& state, explorer::Successors& out) {
    std::memcpy(out.next(), &state, stride);  // states lie `stride` bytes apart, and a round number is copied faster
    return *reinterpret_cast<StateType*>(out.next());
  }

  void try_fault(const StateType& state, explorer::Move move, std::uint32_t parent, explorer::Successors& out) const {
    explorer::Targets targets = 0;
    if (faulting_.take(copy(state, out), actions_.info(move.action), move.actor, targets))
      out.commit(parent, move, targets);
  }

  // --- moves in every way --------------------------------------------------------------------------------------------

  void expand_in_every_way(const StateType& state, std::uint32_t parent, explorer::Successors& out) const {
    const auto try_move = [&](int actor, std::size_t action) {
      explorer::Targets targets = 0;
      if (!take_any(state, copy(state, out), actions_.info(action), actor, targets, nullptr)) return;
      out.commit(parent, {static_cast<std::int16_t>(actor), static_cast<std::uint16_t>(action)}, targets);
    };
    const auto try_step = [&](int actor, std::size_t step) {
      try_move(actor, step);
      for (const std::uint16_t variant : actions_.variants(step)) try_move(actor, variant);
    };
    for (int slot = 0; slot < places_under_way(); ++slot) {
      if (state.under_way[static_cast<std::size_t>(slot)].step != 0) {
        try_move(explorer::Move::environment, actions_.arrival(static_cast<std::size_t>(slot)));
      }
    }
    steps_.for_each_actor([&](std::size_t p, int actor) {
      const ProcessType& process = state.processes[p];
      try_step(actor, steps_.places(Steps::program_of(p)).step_at(process.place));
      if constexpr (detail::has_beside<D>) {
        if (p < max_workers) try_step(actor, steps_.places(detail::beside_program).step_at(process.beside.place));
      }
    });
  }

  /// Any move, on `state`, which is a copy of `before`. False where it is not possible; `state` is then spoilt.
  bool take_any(const StateType& before, StateType& state, const detail::ActionInfo& action, int actor,
                explorer::Targets& targets, detail::StepLog* log) const {
    if (action.kind == ActionKind::arrival) {
      return actor == explorer::Move::environment && arrive(before, state, action.number, targets, log);
    }
    if (!is_visit(action.kind) && action.kind != ActionKind::sent_late) {
      if (detail::is_of_a_process(action.kind) ? actor >= steps_.actor_count() : actor != explorer::Move::environment) {
        return false;
      }
      return faulting_.take(state, action, actor, targets);
    }
    if (actor < 0 || actor >= steps_.actor_count() || !stands_at(before, action.number, actor)) return false;
    const std::size_t p = steps_.process_of(actor);
    ProcessType& self = state.processes[p];
    const int worker = p < max_workers ? actor : Steps::nobody;
    detail::Manners how;
    how.log = log;
    switch (action.kind) {
      case ActionKind::sent_late:
        return Steps::spend(state, Fault::late_request) && send_late(state, action.number, actor);
      case ActionKind::duplicate:
        if (!Steps::spend(state, Fault::duplicate) || !put_under_way(state, action.number, actor)) return false;
        break;
      case ActionKind::lost_reply:
        how.reply_lost = true;
        if (!Steps::spend(state, Fault::lost_reply)) return false;
        break;
      case ActionKind::stale_read:
        how.from_replica = true;
        if (!Steps::spend(state, Fault::stale_read) || detail::same_fields(before.replica, before.issuer)) return false;
        break;
      default: break;
    }
    if (Steps::program_of(p) == detail::forger_program && before.processes[p].place == 0) {
      if (!Steps::spend(state, Fault::forged_token)) return false;
      self.token = Token(bounds().leases + bounds().forged_tokens);
    }
    return take_step(before, state, self, worker, action.number, how, targets);
  }

  /// Whether it is step `step` that the process comes to next, in its program or in the one beside it.
  bool stands_at(const StateType& state, std::size_t step, int actor) const {
    const std::size_t p = steps_.process_of(actor);
    const ProcessType& process = state.processes[p];
    if constexpr (detail::has_beside<D>) {
      if (step_text(step).program == detail::beside_program) {
        return p < max_workers && steps_.places(detail::beside_program).step_at(process.beside.place) == step;
      }
    }
    const int program = Steps::program_of(p);
    return step_text(step).program == program && steps_.places(program).step_at(process.place) == step;
  }

  bool take_step(const StateType& before, StateType& state, ProcessType& self, int worker, std::size_t step,
                 detail::Manners how, explorer::Targets& targets) const {
    if (!steps_.decides_too_early(step) || step_text(step).program != detail::main_program) {
      return take_[step](*this, before, state, self, worker, how, targets);
    }
    if (steps_.places(0).is_second(self.place)) {
      how.guards_pass = true;
      return take_[step](*this, before, state, self, worker, how, targets);
    }
    // The conditions alone: where they let the worker through, it acts in a step of its own.
    detail::StepLog log;
    detail::Manners looking = how;
    looking.log = how.log == nullptr ? &log : how.log;
    const StateType unchanged = state;
    if (!take_[step](*this, before, state, self, worker, looking, targets)) return false;
    const Reply reply = looking.log->reply;
    if (reply == Reply::stale || reply == Reply::refused) return true;
    const std::uint8_t place = unchanged.processes[static_cast<std::size_t>(worker)].place;
    state = unchanged;
    self.place = static_cast<std::uint8_t>(place + 1);
    targets = 0;
    return true;
  }

  // --- requests under way --------------------------------------------------------------------------------------------

  bool put_under_way(StateType& state, std::size_t step, int actor) const {
    auto& place = state.under_way[static_cast<std::size_t>(places_under_way() - 1)];  // empty ones are last
    if (place.step != 0) return false;
    place.step = static_cast<std::uint8_t>(step + 1);
    place.process = state.processes[steps_.process_of(actor)];
    place.process.place = 0;
    place.process.beside = {};
    if (detail::uses_owner<D>() && actor < bounds().workers) place.sender = OwnerAccess::of(actor);
    detail::sort_under_way(state);
    return true;
  }

  bool send_late(StateType& state, std::size_t step, int actor) const {
    ProcessType& self = state.processes[steps_.process_of(actor)];
    if (!put_under_way(state, step, actor)) return false;
    if (steps_.move_on(step_text(step).program, step, Reply::unknown, self)) self.ledgers = {};
    return true;
  }

  bool arrive(const StateType& before, StateType& state, std::size_t slot, explorer::Targets& targets,
              detail::StepLog* log) const {
    auto& request = state.under_way[slot];
    if (request.step == 0) return false;
    const int worker = request.sender.exists() ? FieldNumber::of(request.sender) - 1 : Steps::nobody;
    const std::size_t step = request.step - 1u;
    detail::Manners how;
    how.log = log;
    how.reply_lost = true;  // nobody waits for it any more
    if (!take_[step](*this, before, state, request.process, worker, how, targets)) return false;
    state.under_way[slot] = {};
    detail::sort_under_way(state);
    return true;
  }

  // --- tables -------------------------------------------------------------------------------------------------------

  template <std::size_t I>
  static bool take_one(const WorldOf& world, const StateType& before, StateType& state, ProcessType& self, int worker,
                       const detail::Manners& how, explorer::Targets& targets) {
    return world.steps_.template take<I, false>(before, state, self, worker, how, targets);
  }

  template <std::size_t... I>
  void fill_tables(std::index_sequence<I...>) {
    const Bounds& b = bounds();
    common_ = b.lost_replies + b.late_requests + b.duplicates + b.stale_reads + b.outages + b.forged_tokens == 0 &&
              !detail::has_beside<D> && StateType::other_programs + StateType::forgers == 0 &&
              steps_.change().kind == Change::Kind::none;
    constexpr std::array<RunStep, Steps::step_count> run{&WorldOf::run_step<I>...};
    take_ = {&WorldOf::take_one<I>...};
    const Places& places = steps_.places(detail::main_program);
    for (int place = 0; place < places.count(); ++place) {
      run_at_place_[static_cast<std::size_t>(place)] = run[places.step_at(static_cast<std::uint8_t>(place))];
    }
  }

  void tell_visit(const detail::StepLog& log, const ProcessType& before, StepTold& told) const {
    for (const GuardOutcome& guard : log.guards) told.guards.push_back({std::string(guard.name), guard.passed});
    told.granted = log.reply == Reply::granted;
    told.lease = told.granted ? log.granted_lease.number() : before.lease.number();
    told.wrote = log.wrote;
    told.reply = reply_name(log.reply);
    told.granted_token = log.granted.number();
    if (told.granted) return;
    if (hands_out_tokens<D>()) told.sent.push_back({"token", "token", log.request.token.number()});
    told.sent.push_back({"handle", "handle", FieldNumber::of(log.request.handle)});
    told.sent.push_back({"value", "value", FieldNumber::of(log.request.value)});
    if (detail::uses_owner<D>()) told.sent.push_back({"owner", "owner", FieldNumber::of(log.request.owner)});
    if (!detail::any_store_has<RequestId, typename D::Stores>) return;
    told.sent.push_back({"request id", "request id", FieldNumber::of(log.request.id)});
    told.sent.push_back({"fingerprint", "fingerprint", FieldNumber::of(log.request.fingerprint)});
  }

  static void narrow(std::vector<std::uint8_t>& bits) {
    if (!explorer::mutated(explorer::Mutant::narrow_field)) return;
    --*std::max_element(bits.begin(), bits.end());
  }

  using RunStep = void (*)(const WorldOf&, const StateType&, int, std::uint32_t, explorer::Successors&);
  using TakeStep = bool (*)(const WorldOf&, const StateType&, StateType&, ProcessType&, int, const detail::Manners&,
                            explorer::Targets&);

  Steps steps_;
  detail::Faulting<D, properties<P...>> faulting_;
  detail::ActionsOf<D, properties<P...>> actions_;
  bool common_ = true;                                         // nothing can happen to a step but the step itself
  std::array<RunStep, 2 * Steps::step_count> run_at_place_{};  // a Change may give a step two places
  std::array<TakeStep, Steps::step_count> take_{};
};

}  // namespace fencecheck
