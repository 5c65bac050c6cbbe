// One step of a process: runs it, judges it, and moves the process on.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fencecheck/explorer/mutants.h>
#include <fencecheck/model/call.h>
#include <fencecheck/model/change.h>
#include <fencecheck/model/judging.h>
#include <fencecheck/model/places.h>
#include <fencecheck/model/symmetry.h>
#include <fencecheck/model/values.h>
#include <fencecheck/model/world.h>

namespace fencecheck::detail {

/// What is noted of a visit when somebody wants to be told.
struct StepLog {
  std::vector<GuardOutcome> guards;
  Request request;
  Reply reply = Reply::next;
  Token granted;        ///< of a grant
  Lease granted_lease;  ///< of a grant
  std::vector<int> wrote;
};

/// How a step is taken, where it is not in the common way.
struct Manners {
  bool reply_lost = false;
  bool from_replica = false;  ///< the lock service's part is a replica that lags
  bool guards_pass = false;   ///< whatever they find
  StepLog* log = nullptr;
};

/// Notes a step's conditions, and forces the one that a Change names.
class WatchingGuards final : public GuardWatch {
 public:
  WatchingGuards(StepLog* log, bool all_pass, const std::string* forced)
      : log_(log), all_pass_(all_pass), forced_(forced) {}
  bool decide(std::string_view name, bool condition) override {
    if (all_pass_ || (forced_ != nullptr && *forced_ == name)) condition = true;
    if (log_ != nullptr) log_->guards.push_back({name, condition});
    return condition;
  }

 private:
  StepLog* log_;
  bool all_pass_;
  const std::string* forced_;
};

/// The steps of design D within bounds and with switches set.
template <class D, class Properties>
class Stepping {
 public:
  using Switches = typename SwitchesOf<D>::type;
  using Memory = typename MemoryOf<D>::type;
  using StateType = State<D, Properties>;
  using ProcessType = typename StateType::ProcessType;
  using Judging = Judge<D, Properties>;

  static constexpr auto program = flat_program<D>();
  static constexpr std::size_t step_count = std::tuple_size_v<decltype(program)>;
  static constexpr std::size_t program_count = first_other + StateType::other_programs;
  static constexpr int nobody = -1;

  Stepping(const Bounds& bounds, const Switches& switches, const Change& change)
      : bounds_(bounds), switches_(switches), change_(change) {}

  const Bounds& bounds() const { return bounds_; }
  const Switches& switches() const { return switches_; }
  const Change& change() const { return change_; }
  const Places& places(int number) const { return places_[static_cast<std::size_t>(number)]; }

  /// `actions`: those of the world; the steps of all programs come first.
  void lay_out(const std::vector<StepText>& actions) {
    const std::vector<StepText> steps(actions.begin(), actions.begin() + step_count);
    for (std::size_t i = 0; i < step_count; ++i) {
      changed_[i] = is_same_step(steps[i], steps[change_.action]);
    }
    std::vector<bool> twice(step_count);
    for (std::size_t i = 0; i < step_count; ++i) twice[i] = decides_too_early(i) && steps[i].program == main_program;
    for (std::size_t p = 0; p < program_count; ++p) places_[p] = Places(steps, static_cast<int>(p), twice);
  }

  bool decides_too_early(std::size_t step) const { return is(Change::Kind::guard_too_early, step); }

  /// How many requests may be under way at one moment.
  int places_under_way() const { return bounds_.late_requests + bounds_.duplicates; }

  template <class F>
  static constexpr void for_each_store(F&& f) {
    [&]<std::size_t... S>(std::index_sequence<S...>) {
      (f.template operator()<S>(), ...);
    }(std::make_index_sequence<D::Stores::count>{});
  }

  /// Runs step I for `self` on `state`, judges it, and moves the process on. `worker` is its number, or `nobody`. False
  /// where the step has to wait; `state` is then spoilt. With `Common` only what every world has is looked at.
  template <std::size_t I, bool Common>
  [[gnu::always_inline]] bool take(const StateType& before, StateType& state, ProcessType& self, int worker,
                                   const Manners& how, explorer::Targets& targets) const {
    constexpr const auto& entry = std::get<I>(program);
    using Parameters = typename CallTraits<decltype(entry.visit.action)>::Parameters;
    constexpr bool grants = has_parameter<Grant, Parameters>;
    // Only a step that knows who asks can hand out an earlier grant again, which takes no new lease.
    constexpr bool grants_again = grants && has_parameter<Request, Parameters>;

    if constexpr (!Common && visits_issuer(entry.visit) && !has_parameter<Reachability, Parameters>) {
      if (state.unreachable != 0) return false;
    }
    const Lease newest_before = state.newest;
    const Lease lease_before = self.lease;
    const Lease holder_before = holder(state);
    const bool all_granted = newest_before.number() >= bounds_.leases;
    if constexpr (grants && !grants_again) {
      if (all_granted) return false;
    }
    const int author = lease_before.number();
    freshen_own_values(self.memory, author);
    WatchingGuards watch(how.log, how.guards_pass, forced_guard(I));
    Call<D, StateType> call{
        state,
        switches_,
        &self,
        {self.token, Unique(author), payload(state, author), worker == nobody ? Owner{} : OwnerAccess::of(worker),
         RequestId(name_of(entry.manner, author, false)), Fingerprint(name_of(entry.manner, author, true))},
        {Unique(newest_before.number() + 1), Token{}},
        Common ? Guards() : Guards(&watch),
        {self.token},
        {state.unreachable == 0}};
    if (!Common && how.from_replica) std::swap(state.issuer, state.replica);
    const Reply reply = invoke(entry.visit, call);
    if (!Common && how.from_replica) std::swap(state.issuer, state.replica);
    if (reply == Reply::wait) return false;
    const Lease handed_out(FieldNumber::of(call.grant.handle));
    const bool again = grants_again && handed_out.exists() && handed_out <= newest_before;
    if constexpr (grants) {
      if (all_granted && !again) return false;  // whatever it answered: a run ends where no lease is left
      if ((reply == Reply::granted) != (handed_out.exists() && handed_out == holder(state))) {
        refuse_step(entry.visit.name, "it must answer `granted` exactly when it has stored the grant's handle");
      }
    } else if (reply == Reply::granted) {
      refuse_step(entry.visit.name, "it answers `granted`, and takes no Grant&");
    }
    if constexpr (has_parameter<Credentials, Parameters>) self.token = call.credentials.token;

    const bool granted = grants && reply == Reply::granted;
    if (granted) {
      if (!again) state.newest = handed_out;
      self.lease = handed_out;
      self.token = call.grant.token;
    }
    if constexpr (!Common) lose_part(I, before, state);
    const IssuerVisit at_issuer{.lease = lease_before,
                                .newest = newest_before,
                                .granted = granted && !again,
                                .token = call.grant.token,
                                .may_change = changes_record(entry.visit) && !grants,
                                .holder_before = holder_before,
                                .holder_after = holder(state),
                                .reply = reply};
    const StoreVisit at_store{.store = 0,
                              .lease = self.lease,
                              .newest = state.newest,
                              .token = self.token,
                              .wrote = false,
                              .reply = reply,
                              .compared = call.guards.asked() != 0};
    Happening happening;
    targets = judge(entry.visit, state, at_issuer, at_store, how.log, happening);
    settle(self.memory);
    if (!Common && how.log != nullptr) {
      how.log->request = call.request;
      how.log->reply = reply;
      how.log->granted = call.grant.token;
      how.log->granted_lease = granted ? handed_out : Lease{};
    }
    const bool told = Common || !how.reply_lost;
    if (granted && !told) {  // the worker does not know of it
      self.lease = Lease{};
      self.token = Token{};
    }
    const bool over = move_on(entry.program, I, told ? reply : Reply::unknown, self);
    if constexpr (!Common) forget_field(state);
    if constexpr (Judging::any_after()) {
      happening.kind = ActionKind::worker_step;
      happening.lease = granted ? handed_out : lease_before;
      happening.newest = state.newest;
      happening.token = call.request.token;
      happening.id = call.request.id;
      happening.fingerprint = call.request.fingerprint;
      happening.operation = entry.manner.operation();
      happening.operation_of = one_operation() ? Lease{} : lease_before;
      happening.reply = reply;
      happening.told = told;
      happening.changed_payload = entry.manner.changed_payload;
      happening.basis = entry.manner.basis;
      happening.visit_over = visit_over(I, reply);
      happening.forgot = over;
      happening.granted = granted;
      happening.again = again;
      happening.shared = call.grant.shared;
      happening.may_free = at_issuer.may_change;
      happening.holder_before = holder_before;
      happening.holder_after = at_issuer.holder_after;
      happening.changed = changed_stores(before, state);
      targets |= Judging::after(state, happening, &self, bounds_.workers);
      if (over) self.ledgers = {};
    }
    return true;
  }

  static Lease holder(const StateType& state) { return Lease(FieldNumber::of(D::Issuer::holder(state.issuer))); }

  /// The process starts anew: it has forgotten everything.
  static void forget(ProcessType& process) {
    process.place = 0;
    process.token = Token{};
    process.lease = Lease{};
    process.beside = {};
    process.memory = Memory{};
  }

  /// Moves `self` on from step `step` of program `number`. True where its program is over.
  bool move_on(int number, std::size_t step, Reply reply, ProcessType& self) const {
    const std::uint8_t place = places(number).after(step, reply);
    if constexpr (has_beside<D>) {
      if (number == beside_program) {
        self.beside.place = place;
        return false;
      }
    }
    self.place = place;
    if (place != 0) return false;
    forget(self);
    return true;
  }

  /// Every process that is there: the workers, the forger, the others. Calls f(index in a state, number as an actor).
  template <class F>
  void for_each_actor(F f) const {
    for (int w = 0; w < bounds_.workers; ++w) f(static_cast<std::size_t>(w), w);
    for (std::size_t p = max_workers; p < StateType::process_count; ++p) f(p, actor_of(p));
  }

  /// The number by which a process is known outside: workers first, then the rest.
  int actor_of(std::size_t process) const {
    return process < max_workers ? static_cast<int>(process)
                                 : bounds_.workers + static_cast<int>(process) - max_workers;
  }
  std::size_t process_of(int actor) const {
    return static_cast<std::size_t>(actor < bounds_.workers ? actor : max_workers + actor - bounds_.workers);
  }
  int actor_count() const { return bounds_.workers + static_cast<int>(StateType::forgers + StateType::other_programs); }
  static int program_of(std::size_t process) {
    if (process < max_workers) return main_program;
    const std::size_t other = process - max_workers;
    return other < StateType::forgers ? int{forger_program}
                                      : first_other + static_cast<int>(other - StateType::forgers);
  }

  /// Takes one from the budget of `fault`. False where nothing is left of it.
  static bool spend(StateType& state, Fault fault) {
    std::uint8_t& left = state.left[static_cast<std::size_t>(fault)];
    if (left == 0) return false;
    --left;
    return true;
  }

  static std::uint32_t changed_stores(const StateType& before, const StateType& after) {
    std::uint32_t changed = 0;
    for_each_store([&]<std::size_t S>() {
      if (!same_fields(get<S>(before.rows), get<S>(after.rows))) changed |= 1u << S;
    });
    return changed;
  }

  /// Takes away what the Change takes away after every step.
  void forget_field(StateType& state) const {
    if (change_.kind != Change::Kind::field_forgotten) return;
    for_each_store([&]<std::size_t S>() {
      if (S + 1 != change_.component) return;
      std::size_t number = 0;
      for_each_field(get<S>(state.rows), [&](auto& field) {
        if (number++ == change_.field) field = {};
      });
    });
  }

 private:
  bool is(Change::Kind kind, std::size_t step) const { return change_.kind == kind && changed_[step]; }

  static constexpr bool one_operation() {
    return requires { D::one_operation; };
  }

  /// The number of a request id or fingerprint: which operation, of which lease, and whether by another name.
  static constexpr int name_of(const Manner& manner, int lease, bool fingerprint) {
    const bool other = fingerprint ? manner.changed_payload : manner.new_id;
    if (lease == 0 && !one_operation()) return 0;
    return (one_operation() ? 0 : lease) | manner.operation() << 4 | (other ? 1 << 6 : 0);
  }

  const std::string* forced_guard(std::size_t step) const {
    return is(Change::Kind::guard_forced, step) ? &change_.guard : nullptr;
  }

  void lose_part(std::size_t step, const StateType& before, StateType& state) const {
    if (!is(Change::Kind::part_lost, step)) return;
    for_each_store([&]<std::size_t S>() {
      if (S + 1 == change_.component) get<S>(state.rows) = get<S>(before.rows);
    });
  }

  /// Whether a visit ends with `reply` to its step number `step`.
  bool visit_over(std::size_t step, Reply reply) const {
    return reply != Reply::next || step + 1 == step_count || first_of_visit(step + 1);
  }
  static bool first_of_visit(std::size_t step) {
    static constexpr auto first =
        std::apply([](const auto&... entry) { return std::array<bool, step_count>{entry.first_of_group...}; }, program);
    return first[step];
  }

  [[noreturn]] static void refuse_step(std::string_view step, const char* why) {
    throw UsageError("the step \"" + std::string(step) + "\" contradicts itself: " + why);
  }

  template <class Action, class... C>
  static explorer::Targets judge(const Visit<Action, C...>&, StateType& state, const IssuerVisit& at_issuer,
                                 const StoreVisit& at_store, StepLog* log, Happening& happening) {
    explorer::Targets targets = 0;
    [[maybe_unused]] const auto visit_component = [&]<class One>(One) {  // unused where a step visits nothing
      if constexpr (std::is_same_v<One, TheIssuer>) {
        settle(state.issuer);
        targets |= Judging::at_issuer(state, at_issuer);
      } else {
        StoreVisit visit = at_store;
        visit.store = One::index;
        visit.replaces = !requires { D::Stores::template at<One::index>::an_object_each; };
        const Settled settled = settle(component(state, One{}));
        visit.wrote = settled.wrote;
        const std::uint32_t bit = 1u << One::index;
        happening.visited |= bit;
        if (settled.wrote) happening.wrote |= bit;
        if (settled.added) happening.added |= bit;
        if (visit.wrote && log != nullptr) log->wrote.push_back(One::index);
        targets |= Judging::template at_store<static_cast<std::size_t>(One::index)>(state, visit);
      }
    };
    (visit_component(C{}), ...);
    return targets;
  }

  static Value payload(StateType& state, int author) {
    Value value = ValueAccess::fresh(author);
    if (!explorer::mutated(explorer::Mutant::same_value_is_no_write)) return value;
    for_each_store([&]<std::size_t S>() {
      for_each_field(get<S>(state.rows), [&](const auto& field) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, Value>) {
          if (FieldNumber::of(field) == author) ValueAccess::settle(value);
        }
      });
    });
    return value;
  }

  Bounds bounds_;
  Switches switches_;
  Change change_;
  std::array<bool, step_count> changed_{};  // the steps that change_ is about
  std::array<Places, program_count> places_;
};

}  // namespace fencecheck::detail
