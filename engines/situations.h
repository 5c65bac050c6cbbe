// Where a real store stands: what is committed, and which statements were sent since on sessions that are still open.
//
// Both are interned: a situation is a number, and the search sees nothing else of the store. Each statement is run once
// in each situation, and its outcome remembered. A situation in which nothing is open is a content, and the engine can
// be put there at once; any other is reached by putting the last such content back and running the statements since
// then again, on fresh sessions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fencecheck/engines/engine.h>

namespace fencecheck::engines {

/// The same statements were answered differently: the engine, or a statement, depends on something else (a clock, a
/// random number), and no verdict would mean anything.
class NonDeterministic : public EngineFailure {
 public:
  using EngineFailure::EngineFailure;
};

class Situations {
 public:
  using Number = std::uint32_t;

  /// A statement that was blocked, and went on because of another one.
  struct Unblocked {
    int session = 0;
    Answer answer;
    Number committed = 0;  ///< where what is committed stands once it is done
  };

  /// What became of one statement.
  struct Outcome {
    std::optional<Answer> answer;  ///< nothing: it was sent and is blocked
    Number committed = 0;          ///< where what is committed stands before anything else went on
    Number after = 0;
    std::vector<Unblocked> unblocked;
  };

  /// `engine` is as its setup left it. `views`: what is read of each content, in order.
  Situations(Engine& engine, std::vector<Statement> views);

  /// Where everything begins.
  Number start() const { return start_; }

  /// Runs a statement in situation `where`, on a session that has none pending, or remembers what it did.
  const Outcome& run(Number where, int session, const Statement& statement);

  /// The session is cut off. Gives what followed, in `after` and `unblocked`; the answer is empty.
  const Outcome& cut_off(Number where, int session);

  /// What came of restoring a backup.
  struct Restored {
    Number content = 0;  ///< that of the backup, but for what no backup keeps
    std::string how;     ///< in words; empty where it was just put back
  };

  /// Restores a backup of a content as the engine's own tools do it, or remembers what came of it.
  const Restored& restore(Number content);

  /// The content that is committed in situation `where`, as a situation of its own.
  Number committed(Number where) const { return places_[where].committed; }

  /// What the views give of a content.
  const std::vector<Answer>& seen(Number content) const { return contents_.at(content).seen; }
  const std::string& text(Number content) const { return contents_.at(content).content.text; }

  bool is_open(Number where, int session) const { return (places_[where].open >> session & 1u) != 0; }
  bool is_pending(Number where, int session) const { return (places_[where].pending >> session & 1u) != 0; }

  /// Whether nobody but `session` has anything open or pending.
  bool is_alone(Number where, int session) const {
    return ((places_[where].open | places_[where].pending) & ~(std::uint32_t{1} << session)) == 0;
  }

  /// Whether nothing is open or pending.
  bool at_rest(Number where) const { return places_[where].open == 0 && places_[where].pending == 0; }

  std::size_t count() const { return places_.size(); }
  std::size_t content_count() const { return contents_.size(); }
  std::uint64_t calls() const { return calls_; }  ///< statements that the engine ran, those to get somewhere included
  std::uint64_t remembered() const { return remembered_; }  ///< outcomes that were known already

 private:
  struct Place {
    Number committed = 0;
    Number parent = 0;  ///< where the last statement was sent; itself where nothing is open
    std::uint32_t command = 0;
    std::uint32_t open = 0;     ///< sessions, a bit each
    std::uint32_t pending = 0;  ///< those with a statement that is blocked
  };
  struct Known {
    Content content;
    std::vector<Answer> seen;
  };
  struct Command {
    int session = 0;
    bool cut_off = false;
    Statement statement;
  };

  const Outcome& outcome(Number where, const Command& command);
  Outcome make(Number where, std::uint32_t command);
  Outcome try_once(Number where, std::uint32_t command);
  void go_to(Number where);
  std::optional<Answer> send(const Command& command);
  Number reach(Number where, std::uint32_t command, bool blocked, const std::vector<std::pair<int, Answer>>& unblocked);
  Number without_pending(Number where, std::uint32_t sessions);
  Number without_ended(Number where, int session);
  std::optional<std::string> state(const Place& place);
  Number know(const Content& content);
  std::uint32_t number_of(const Command& command);

  Engine& engine_;
  std::vector<Statement> views_;
  Number start_ = 0;
  std::vector<Place> places_;
  std::map<Number, Known> contents_;
  std::map<std::string, Number> by_text_;
  std::map<std::pair<Number, std::uint32_t>, Number> by_step_;  // of situations in which something is open
  std::map<std::string, Number> by_state_;                      // of those, where the engine can say what is open
  std::vector<Command> commands_;
  std::map<std::string, std::uint32_t> command_numbers_;
  std::unordered_map<std::uint64_t, Outcome> outcomes_;
  std::map<Number, Restored> restored_;
  std::optional<Number> standing_;  // where the engine is
  std::uint32_t sessions_ = 0;      // that were ever used, a bit each
  std::uint64_t calls_ = 0;
  std::uint64_t remembered_ = 0;
};

}  // namespace fencecheck::engines
