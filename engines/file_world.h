// The world of a design file: workers that send the file's statements to a real store, interleaved with all faults that
// the bounds allow.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <fencecheck/engines/design_file.h>
#include <fencecheck/engines/exploration.h>
#include <fencecheck/engines/file_shape.h>
#include <fencecheck/model/places.h>
#include <fencecheck/model/world.h>

namespace fencecheck::engines {

class FileWorld final : public World {
 public:
  FileWorld(const DesignFile& file, std::shared_ptr<Exploration> exploration, const Bounds& bounds,
            explorer::Targets judged);
  FileWorld(const FileWorld&) = delete;
  FileWorld& operator=(const FileWorld&) = delete;

  std::size_t state_bytes() const override;
  std::vector<std::uint8_t> field_bits() const override;
  std::vector<std::byte> initial_states() const override;
  std::size_t max_successors() const override;
  std::size_t action_count() const override { return actions_.size(); }
  void expand(const std::byte* states, std::size_t count, explorer::Successors& out) const override;
  void canonicalize(std::byte*, std::size_t) const override {}
  std::uint64_t orbit_size(const std::byte*) const override { return 1; }

  const std::vector<StepText>& actions() const override { return actions_; }
  std::size_t component_count() const override { return 1 + file_.stores.size(); }
  bool take(std::byte* bytes, explorer::Move move, StepTold& told) const override;
  StateTold tell(const std::byte* bytes) const override;
  std::unique_ptr<World> changed(const Change& change) const override;
  bool workers_are_interchangeable() const override { return false; }
  std::string account() const override;

 private:
  using Process = State<FileShape, FileProperties>::ProcessType;
  using Number = Situations::Number;

  /// Whose step an action is, and of which list.
  enum class Part : std::uint8_t { acquire, write, release };
  struct StepInfo {
    Part part = Part::write;
    const FileStep* step = nullptr;  ///< null where fencecheck's own lock service does it
  };

  /// One move under way: the state that it makes, and what is noted of it.
  struct Taking {
    FileState& state;
    explorer::Targets targets = 0;
    StepTold* told = nullptr;
  };

  /// An answer that a worker has got: what it means is still to be found out.
  struct Arrived {
    int worker = 0;
    std::size_t step = 0;
    Answer answer;
    Number committed_before = 0;
    Number committed = 0;
    bool told = true;  ///< the worker learns of it
  };

  void add_actions();
  void add_steps(const std::vector<FileStep>& steps, Part part, const char* own_name);
  void add_variant(ActionKind kind, std::size_t step, const char* how);
  void add_fault(ActionKind kind, std::string name, std::vector<int> components, bool of_workers = false);

  /// What a step changed of what is committed, a bit for each store.
  struct Changes {
    std::uint32_t values = 0;   ///< another payload lies there
    std::uint32_t added = 0;    ///< the effect has grown
    std::uint32_t changed = 0;  ///< anything that is read there is another
  };

  bool take_any(FileState& state, explorer::Move move, Taking& taking) const;
  bool take_step_as(Taking& taking, ActionKind kind, int worker, std::size_t step) const;
  bool take_step(Taking& taking, int worker, std::size_t action, bool reply_lost) const;
  bool acquire_model(Taking& taking, int worker, std::size_t action, bool reply_lost) const;
  bool release_model(Taking& taking, int worker, std::size_t action, bool reply_lost) const;
  bool send(Taking& taking, int worker, std::size_t action, bool reply_lost) const;
  void queue(const Situations::Outcome& outcome, Taking& taking, std::vector<Arrived>& arrived) const;
  bool conclude(Taking& taking, const Arrived& arrived, std::vector<Arrived>& more, bool may_wait) const;
  void conclude_all(Taking& taking, std::vector<Arrived> arrived) const;
  void require_way_out(const Taking& taking, const Arrived& arrived) const;
  void take_grant(Taking& taking, const Arrived& arrived, Lease holder_before) const;
  int token_number(const FileStep& step, const Cell& token) const;
  void judge_grant(Taking& taking, int worker, std::size_t action, Lease newest, Lease holder_before, bool told) const;
  void judge_visit(Taking& taking, const Arrived& arrived, Reply reply, Lease holder_before, std::uint32_t wrote,
                   const Changes& changes) const;
  static void forget(Process& process);
  void move_on(Process& self, std::size_t action, Reply reply, Happening& happening) const;
  void close_what_is_open(Taking& taking, const Arrived& arrived, const Rule* rule, Reply reply,
                          std::vector<Arrived>& more) const;
  void cut_off(Taking& taking, Side side, int worker, std::vector<Arrived>& more) const;

  int places_under_way() const { return bounds_.late_requests + bounds_.duplicates; }
  bool put_under_way(FileState& state, int worker, std::size_t step) const;
  bool send_late(Taking& taking, int worker, std::size_t step) const;
  bool arrive(Taking& taking, std::size_t place) const;

  bool expire(Taking& taking) const;
  bool crash(Taking& taking, int worker) const;
  bool restore_model_issuer(Taking& taking, ActionKind kind) const;
  bool restore(Taking& taking, ActionKind kind, Side side) const;
  bool run_own(Taking& taking, const std::vector<std::string>& statements, const char* what,
               std::vector<Arrived>& others) const;
  Statement bound_outside(const std::string& text, const FileState& state) const;
  void judge_fault(Taking& taking, ActionKind kind, Lease holder_before, Process* self, const Changes& changes) const;

  [[noreturn]] void complain(const FileStep& step, const std::string& what) const;
  bool ends_its_visit(std::size_t step) const;
  bool ends_its_part(std::size_t step) const;

  Statement bound(const std::string& text, const FileState& state, int worker, std::size_t action) const;
  Cell parameter(const std::string& name, const FileState& state, int worker, std::size_t action) const;
  void keep(const FileStep& step, const Answer& answer, Process& process) const;
  const Rule* meaning(const FileStep& step, const Answer& answer, const FileState& state, int worker,
                      std::size_t action, StepTold* told) const;

  /// Brings what the model knows of an engine up to a content.
  Changes see(FileState& state, Side side, Number content) const;
  void see_holder(FileState& state, Number content) const;
  Lease holder_in(const FileState& state, Number content) const;
  Cell kept(const Process& process, std::size_t name) const;

  std::size_t step_of(const FileState& state, int worker) const;
  /// Workers come first; behind them, under numbers from max_workers, the requests under way: each arrives on a session
  /// of its own, with what its sender had when it was sent.
  static Process& process_of(FileState& state, int actor);
  static const Process& process_of(const FileState& state, int actor);
  static int sender_of(const FileState& state, int actor);
  static int session_of(int actor) { return actor + 1; }
  static int worker_of(int session) { return session - 1; }
  static bool spend(FileState& state, Fault fault);
  static void tell_sender(const Process& process, StepTold& told);
  static void tell_statement(Taking& taking, int worker, const Statement& statement,
                             const std::optional<Answer>& answer);

  /// Where the engine that a part's statements go to stands. Two sides of one engine stand in the same place.
  static Side side_of(Part part) { return part == Part::write ? Side::stores : Side::lock; }
  std::size_t engine_of(Side side) const { return exploration_->is_shared() ? 0 : static_cast<std::size_t>(side); }
  Number situation(const FileState& state, Side side) const;
  void set_situation(FileState& state, Side side, Number number) const;
  Number committed(const FileState& state, Side side) const;
  bool is_open(const FileState& state, Side side, int worker) const;
  bool is_pending(const FileState& state, Side side, int worker) const;

  const DesignFile& file_;
  std::shared_ptr<Exploration> exploration_;
  Bounds bounds_;
  explorer::Targets judged_;
  std::vector<StepText> actions_;
  std::vector<StepInfo> steps_;
  std::vector<explorer::Move> fault_moves_;
  std::vector<std::vector<std::uint16_t>> variants_;  ///< of each step, the actions that are it with a fault
  std::vector<std::size_t> varied_;                   ///< of each action, the step that it is
  std::size_t first_arrival_ = 0;
  std::vector<std::string> kept_names_;
  std::optional<std::size_t> kept_token_;  ///< which of them the token of a grant is
  bool keeps_granted_ = false;             ///< states know the tokens of all leases
  Places places_;
};

}  // namespace fencecheck::engines
