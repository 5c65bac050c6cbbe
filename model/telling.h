// What is told of a design, of a state and of a step: names and numbers only, for reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fencecheck/explorer/model.h>
#include <fencecheck/model/action.h>
#include <fencecheck/model/bounds.h>
#include <fencecheck/model/property.h>

namespace fencecheck {

/// One field of a component: its name, the kind of its type, its number.
struct FieldTold {
  std::string name;
  std::string type;  ///< "token", "handle", "value", …, as field_type_name gives it
  int number = 0;
  std::string word = {};  ///< what it is told as; empty where the type and the number say it

  friend bool operator==(const FieldTold&, const FieldTold&) = default;
};

/// A component as it stands in a state. Component 0 is the issuer, component 1 + s is store s.
struct ComponentTold {
  std::string name;
  std::vector<FieldTold> fields;
};

/// A worker, or a process that runs one of the design's other programs.
struct WorkerTold {
  std::string name;  ///< of such a program; empty for a worker
  std::string next_step;
  int token = 0;
  int lease = 0;
  std::vector<FieldTold> memory;
};

/// A request that is under way although its sender went on.
struct UnderWayTold {
  std::string step;
  int lease = 0;
};

struct StateTold {
  std::vector<ComponentTold> components;
  std::vector<WorkerTold> workers;  ///< and, after them, the processes of other programs
  std::vector<UnderWayTold> under_way;
  int newest_lease = 0;
  int holder = 0;  ///< the lease that holds the lock now; 0 when it is free
};

struct GuardTold {
  std::string name;
  bool passed = false;
};

/// A statement that was sent to a real store in a step, and its answer.
struct StatementTold {
  int worker = 0;           ///< whose session it is; in a step of another worker's, where it was blocked until then
  std::string text;         ///< with its parameters in place
  std::string answer;       ///< in words
  std::string source = {};  ///< as the file has it; empty where the session was cut off
  std::vector<std::pair<std::string, std::optional<std::string>>> parameters = {};
};

/// One move, as it happened.
struct StepTold {
  explorer::Move move;
  ActionKind kind = ActionKind::worker_step;
  std::string action;
  std::size_t step = 0;         ///< of a visit: the action that is the same step in the common way
  std::string arrived = {};     ///< of a request that was under way: what it does
  std::vector<int> components;  ///< those visited, as in StateTold
  int lease = 0;                ///< the lease under which the worker acted, after a grant the new one; 0 for faults
  std::vector<FieldTold> sent;
  Manner manner = {};                          ///< how the program makes this visit
  std::vector<StatementTold> statements = {};  ///< that went to a real store
  std::vector<GuardTold> guards;
  std::string reply;       ///< what the component answered; empty for faults
  std::vector<int> wrote;  ///< stores into which the payload went
  bool granted = false;
  int granted_token = 0;
  explorer::Targets targets = 0;
  StateTold before;
  StateTold after;
};

/// One action of a world: a step of a program, or a fault.
struct StepText {
  ActionKind kind = ActionKind::worker_step;
  std::string name;
  std::vector<int> components;    ///< 0 is the issuer, 1 + s is store s
  int program = 0;                ///< as ProgramNumber
  std::string program_name = {};  ///< of the design's other programs
  bool first_of_visit = true;
  bool in_finally = false;
  bool go_on = false;
  bool recovers = false;
  bool in_recovery = false;
  bool first_of_recovery = false;
  Manner manner = {};
  std::vector<int> may_change = {};  ///< of the components, those that it does not merely look at
  bool grants = false;
  bool asks_issuer = false;  ///< visits the lock service, and cannot change its record
  bool present = true;       ///< with the switches and bounds as they are set
  bool claims_one_transaction() const { return components.size() > 1; }
};

/// Whether two actions are the same step, though perhaps at different places of the programs.
inline bool is_same_step(const StepText& a, const StepText& b) {
  return a.name == b.name && a.components == b.components;
}

struct SwitchText {
  std::string name;
  std::string help;
  std::vector<std::string> values;
  std::string standard;  ///< the value it has unless set
};

struct PropertyText {
  PropertyInfo info;
  bool applies = true;
};

/// A design, in words.
struct DesignText {
  std::string name;
  std::string summary;
  std::vector<SwitchText> switches;
  std::vector<PropertyText> properties;
  std::vector<Fault> faults;             ///< those that can happen to it
  std::string store_engine;              ///< of a design file: the kind of its real store
  std::vector<std::string> store_setup;  ///< what makes that store
  std::string store_session;             ///< what each session begins with, in SQL; may be empty
};

}  // namespace fencecheck
