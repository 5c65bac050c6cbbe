#include <fencecheck/engines/postgresql_hold.h>

#include <sys/ptrace.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdint>

namespace fencecheck::engines::postgresql {
namespace {

// ptrace takes numbers where it says pointers.
void* as_pointer(std::intptr_t number) { return reinterpret_cast<void*>(number); }  // NOLINT(performance-no-int-to-ptr)

}  // namespace

// Not SIGSTOP, which a process that has lost its parent would obey for ever.
std::optional<Hold> Hold::of(pid_t pid) {
  if (::ptrace(PTRACE_SEIZE, pid, nullptr, as_pointer(PTRACE_O_EXITKILL)) != 0) return std::nullopt;
  ::ptrace(PTRACE_INTERRUPT, pid, nullptr, nullptr);
  int status = 0;
  while (::waitpid(pid, &status, __WALL) < 0) {
    if (errno != EINTR) return std::nullopt;
  }
  if (!WIFSTOPPED(status)) return std::nullopt;  // it has ended
  const bool is_interrupted = status >> 16 == PTRACE_EVENT_STOP;
  return Hold(pid, is_interrupted ? 0 : WSTOPSIG(status));
}

Hold::~Hold() {
  if (pid_ != 0) ::ptrace(PTRACE_DETACH, pid_, nullptr, as_pointer(signal_));
}

}  // namespace fencecheck::engines::postgresql
