// Holds a waiting backend in its place, so that of several that are let go at once each goes on by itself.
#pragma once

#include <sys/types.h>

#include <optional>
#include <utility>

namespace fencecheck::engines::postgresql {

/// A process of our own server that stands still until the object goes. Should we end before that, however, the process
/// ends too.
class Hold {
 public:
  /// Nothing where the system does not let us: some sandboxes do not.
  static std::optional<Hold> of(pid_t pid);

  Hold(Hold&& other) noexcept : pid_(std::exchange(other.pid_, 0)), signal_(other.signal_) {}
  Hold& operator=(Hold&& other) noexcept {
    std::swap(pid_, other.pid_);
    std::swap(signal_, other.signal_);
    return *this;
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;
  ~Hold();

 private:
  Hold(pid_t pid, int signal) : pid_(pid), signal_(signal) {}

  pid_t pid_;
  int signal_;  ///< that reached it while it was stopped, and is to reach it when it goes on
};

}  // namespace fencecheck::engines::postgresql
