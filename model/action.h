// What can happen in a world: the kinds of actions.
#pragma once

#include <cstdint>

namespace fencecheck {

enum class ActionKind : std::uint8_t {
  worker_step,  ///< of a program
  expiry,       ///< the holder's lease ends
  backup,       ///< of the lock service or of a store
  restore,      ///< from it
  tick,         ///< time passes on every clock
  drift,        ///< a tick of one clock alone
  crash,        ///< a process dies, and starts anew
  lock_loss,    ///< the lock's record is deleted
  catch_up,     ///< the replica of the lock service has what it has
  outage,       ///< the lock service cannot be reached from here on
  end_of_outage,
  declared,    ///< a fault of the design's own
  lost_reply,  ///< a step whose caller is never told
  sent_late,   ///< a request is sent, and its caller goes on without a reply
  duplicate,   ///< a step, and a copy of its request is still under way
  stale_read,  ///< a question that a replica answers which lags
  arrival,     ///< a request that was under way arrives
};

/// Whether it is a step of a program's, though perhaps not in the common way.
constexpr bool is_visit(ActionKind kind) {
  return kind == ActionKind::worker_step || kind == ActionKind::lost_reply || kind == ActionKind::duplicate ||
         kind == ActionKind::stale_read || kind == ActionKind::arrival;
}

}  // namespace fencecheck
