// Writing to a server that is gone must be an error, and not the end of this process.
#pragma once

#include <pthread.h>

#include <cerrno>
#include <csignal>
#include <ctime>

namespace fencecheck::engines {

/// As long as it lives, a write to a closed socket gives an error instead of a signal, in this thread.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    if (::sigismember(&before_, SIGPIPE) == 1) return;
    const timespec no_time{};
    while (::sigtimedwait(&pipe_, nullptr, &no_time) < 0 && errno == EINTR) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
};

}  // namespace fencecheck::engines
