// How large a world is explored: chosen when a search starts, never when it is compiled.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fencecheck {

constexpr int max_workers = 6;
constexpr int max_leases = 15;
constexpr int max_restores = 15;

/// Requests that may be under way at one moment after their senders went on.
constexpr int max_under_way = 3;

/// What a verdict is about: it says nothing of a world with more workers, leases or faults than these. The number of a
/// fault is how often it may happen in a whole run, at most.
struct Bounds {
  int workers = 2;          ///< 1 to max_workers
  int leases = 3;           ///< leases granted in a whole run, at most; 1 to max_leases
  int issuer_restores = 0;  ///< restores of the lock service from its backup
  int store_restores = 0;   ///< restores of any store from its backup, all stores together
  bool expiry = true;       ///< leases may expire (as often as there are leases)
  int crashes = 0;          ///< a worker dies and starts anew: it has forgotten everything but its name
  int lost_replies = 0;     ///< the step happened, and its caller is never told
  int late_requests = 0;    ///< the caller gives up, and its request arrives later
  int duplicates = 0;       ///< a request arrives a second time, later
  int lock_losses = 0;      ///< the lock's record is deleted; the next grant makes it anew
  int outages = 0;          ///< the lock service cannot be reached for a while
  int stale_reads = 0;      ///< a question to the lock service is answered by a replica that lags
  int cleanups = 0;         ///< evidence is cleaned up, as the design declares
  int node_losses = 0;      ///< a node forgets what it held, as the design declares
  int clock_drifts = 0;     ///< one clock goes a tick further, and no other does
  int forged_tokens = 0;    ///< a request with a token that no issuer handed out, above all others

  friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// The faults that have a budget, in the order of `faults`.
enum class Fault : std::uint8_t {
  issuer_restore,
  store_restore,
  crash,
  lost_reply,
  late_request,
  duplicate,
  lock_loss,
  outage,
  stale_read,
  cleanup,
  node_loss,
  clock_drift,
  forged_token,
};

/// A kind of fault, in words.
struct FaultText {
  int Bounds::*budget;
  std::string_view plural;  ///< with hyphens, as an option: "store-restores"; with underscores in files
  std::string_view noun;    ///< one of them: "store restore"
  std::string_view help;    ///< what happens, as a part of a sentence
  int most;
};

inline constexpr std::array faults{
    FaultText{&Bounds::issuer_restores, "issuer-restores", "issuer restore", "Restores of the lock service",
              max_restores},
    FaultText{&Bounds::store_restores, "store-restores", "store restore", "Restores of stores", max_restores},
    FaultText{&Bounds::crashes, "crashes", "crash", "Workers that die and start anew, with nothing but their name", 15},
    FaultText{&Bounds::lost_replies, "lost-replies", "lost reply", "Steps that happen, and whose caller is never told",
              15},
    FaultText{&Bounds::late_requests, "late-requests", "late request",
              "Requests that arrive after their caller gave up and went on", max_under_way},
    FaultText{&Bounds::duplicates, "duplicates", "duplicate", "Requests that arrive a second time, later",
              max_under_way},
    FaultText{&Bounds::lock_losses, "lock-losses", "lock loss", "Losses of the lock's record", 15},
    FaultText{&Bounds::outages, "outages", "outage", "Times in which the lock service cannot be reached", 15},
    FaultText{&Bounds::stale_reads, "stale-reads", "stale read",
              "Questions to the lock service answered by a replica that lags", 15},
    FaultText{&Bounds::cleanups, "cleanups", "cleanup", "Clean-ups of evidence that the design declares", 15},
    FaultText{&Bounds::node_losses, "node-losses", "node loss", "Nodes that forget, as the design declares", 15},
    FaultText{&Bounds::clock_drifts, "clock-drifts", "clock drift", "Ticks that one clock goes ahead of the others",
              15},
    FaultText{&Bounds::forged_tokens, "forged-tokens", "forged token",
              "Requests with a token that no issuer handed out", 1},
};
constexpr std::size_t fault_count = faults.size();

constexpr const FaultText& text_of(Fault fault) { return faults[static_cast<std::size_t>(fault)]; }

/// How often `fault` may happen within `bounds`.
constexpr int budget(const Bounds& bounds, Fault fault) { return bounds.*text_of(fault).budget; }

/// How many bits the values 0 … `largest` need.
constexpr std::uint8_t bits_for(int largest) {
  std::uint8_t bits = 0;
  for (; largest > 0; largest >>= 1) ++bits;
  return bits;
}

}  // namespace fencecheck
