#include <fencecheck/engines/server.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/in.h>
#include <pwd.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>

#include <fmt/core.h>

#include <fencecheck/engines/engine.h>

namespace fencecheck::engines {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds patience{2};
constexpr std::size_t tail_lines = 5;
constexpr std::streamoff tail_bytes = 4096;

std::string words(int error) { return std::generic_category().message(error); }

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;

  int get() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

/// Opens for a child. Never as 0, 1 or 2: the child puts its own there, one over the other if ours were among them.
Descriptor opened(const std::filesystem::path& path, int flags) {
  const Descriptor first(::open(path.c_str(), flags | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (first.get() < 0) throw EngineFailure(fmt::format("cannot open '{}': {}", path.string(), words(errno)));
  Descriptor above(::fcntl(first.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (above.get() < 0) throw EngineFailure(fmt::format("cannot open '{}': {}", path.string(), words(errno)));
  return above;
}

/// What a child could not do, as it reports it through its pipe before it gives up.
struct Complaint {
  int step = 0;  ///< of `steps`
  int error = 0;
};

enum Step : int { group_of_its_own, other_user, bound_to_us, output, exec };
constexpr std::array<const char*, 5> steps{"make a process group for", "change the user of", "bind to this process",
                                           "connect the output of", "start"};

/// Everything that the child needs, made before the fork: between fork and exec it may not allocate.
struct Plan {
  std::vector<const char*> arguments;
  std::string folder;
  std::optional<RunAs> run_as;
  pid_t parent = 0;
  int input = -1;
  int log = -1;
  int complaints = -1;
  int last_descriptor = 0;
};

[[noreturn]] void give_up(const Plan& plan, Step step, int error) {
  const Complaint complaint{step, error};
  // Where even this cannot be written, the parent sees a child that ended at once.
  [[maybe_unused]] const ssize_t written = ::write(plan.complaints, &complaint, sizeof complaint);
  ::_exit(127);
}

/// A child takes nothing of ours along: neither files and connections of ours nor signals that we ignore or hold back.
void leave_everything(const Plan& plan) {
  if (::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) != 0) {  // before Linux 5.11
    for (int i = STDERR_FILENO + 1; i <= plan.last_descriptor; ++i) ::fcntl(i, F_SETFD, FD_CLOEXEC);
  }
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGCHLD, SIGALRM, SIGUSR1, SIGUSR2}) {
    std::signal(signal, SIG_DFL);
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void become(const Plan& plan) {
  if (!plan.run_as) return;
  const auto [user, group] = *plan.run_as;
  if (::setgroups(0, nullptr) != 0 || ::setgid(group) != 0 || ::setuid(user) != 0) give_up(plan, other_user, errno);
}

/// In the child: only calls that are safe in a signal handler.
[[noreturn]] void be_the_program(const Plan& plan) {
  if (::setpgid(0, 0) != 0) give_up(plan, group_of_its_own, errno);
  become(plan);
  // After the change of users, which forgets it. The parent may have died before it was said. It counts as dead when
  // the thread that forked has ended, so a server is to be started by a thread that outlives it.
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up(plan, bound_to_us, errno);
  if (::getppid() != plan.parent) give_up(plan, bound_to_us, ESRCH);
  if (::dup2(plan.input, STDIN_FILENO) < 0 || ::dup2(plan.log, STDOUT_FILENO) < 0 ||
      ::dup2(plan.log, STDERR_FILENO) < 0) {
    give_up(plan, output, errno);
  }
  // The folder that we are in may be closed to another user, and some programs want to know where they are.
  if (::chdir(plan.folder.c_str()) != 0 && ::chdir("/") != 0) give_up(plan, output, errno);
  leave_everything(plan);
  // execv takes pointers to what it does not change.
  ::execv(plan.arguments[0], const_cast<char* const*>(plan.arguments.data()));
  give_up(plan, exec, errno);
}

void reap(pid_t pid, int* status = nullptr) {
  while (::waitpid(pid, status, 0) < 0 && errno == EINTR) {
  }
}

/// Nothing where the child has become its program: that closes the pipe.
std::optional<Complaint> complaint_of(int pipe) {
  Complaint complaint;
  ssize_t got = 0;
  do {
    got = ::read(pipe, &complaint, sizeof complaint);
  } while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(sizeof complaint)) return std::nullopt;
  return complaint;
}

std::pair<Descriptor, Descriptor> pipe_above_output() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw EngineFailure("cannot make a pipe: " + words(errno));
  Descriptor from(ends[0]);
  const Descriptor to(ends[1]);
  Descriptor above(::fcntl(to.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (above.get() < 0) throw EngineFailure("cannot make a pipe: " + words(errno));
  return {std::move(from), std::move(above)};
}

/// Starts `command` and returns when it runs. Throws EngineFailure where it cannot be started.
pid_t start(const std::vector<std::string>& command, const std::filesystem::path& log,
            const std::optional<RunAs>& run_as) {
  if (command.empty()) throw EngineFailure("cannot start a program without a name");
  const std::string program = std::filesystem::absolute(command[0]).string();
  const Descriptor input = opened("/dev/null", O_RDONLY);
  const Descriptor output_file = opened(log, O_WRONLY | O_CREAT | O_APPEND);
  auto [from_child, to_parent] = pipe_above_output();
  Plan plan{{program.c_str()},
            log.parent_path().string(),
            run_as,
            ::getpid(),
            input.get(),
            output_file.get(),
            to_parent.get(),
            static_cast<int>(std::min(::sysconf(_SC_OPEN_MAX), 1L << 20))};
  for (std::size_t i = 1; i < command.size(); ++i) plan.arguments.push_back(command[i].c_str());
  plan.arguments.push_back(nullptr);

  const pid_t pid = ::fork();
  if (pid < 0) throw EngineFailure(fmt::format("cannot start '{}': {}", program, words(errno)));
  if (pid == 0) be_the_program(plan);
  to_parent.close();
  if (const auto complaint = complaint_of(from_child.get())) {
    reap(pid);
    const char* step = steps.at(static_cast<std::size_t>(complaint->step));
    throw EngineFailure(fmt::format("cannot {} '{}': {}", step, program, words(complaint->error)));
  }
  return pid;
}

/// Whether the child has not ended yet. It stays to be reaped: until then nobody else gets its number.
bool runs(pid_t pid) {
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0) return errno == EINTR;
  return info.si_pid == 0;
}

/// Waits for the end of `pid` at most until `patience` is over.
void wait_for_end(pid_t pid) {
  const Clock::time_point deadline = Clock::now() + patience;
  while (runs(pid) && Clock::now() < deadline) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

std::string tail_of(const std::filesystem::path& log) {
  std::ifstream file(log, std::ios::binary | std::ios::ate);
  if (!file) return "";
  const std::streamoff size = file.tellg();
  file.seekg(std::max<std::streamoff>(0, size - tail_bytes));
  std::string text(std::istreambuf_iterator<char>(file), {});
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  std::size_t begin = text.size();
  for (std::size_t line = 0; line < tail_lines && begin != std::string::npos && begin > 0; ++line) {
    begin = text.rfind('\n', begin - 1);
  }
  return begin == std::string::npos || begin == 0 ? text : text.substr(begin + 1);
}

std::string output_of(const std::string& tail) {
  return tail.empty() ? " It wrote nothing." : " The end of its output:\n" + tail;
}

/// A process in a session of its own that waits for our end and then removes a folder, and what keeps it waiting. It
/// keeps nothing else of ours open. -1 where it cannot be started: the folder is then removed by us alone.
std::pair<pid_t, int> helper_that_removes(const std::string& folder) {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {-1, -1};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
  ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  // A server that dies with us, and what it has started, may still write for a moment.
  const char* const script =
      "read -r end; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do "
      "/bin/rm -rf -- \"$0\"; test -e \"$0\" || exit 0; /bin/sleep 0.3; done";
  std::array<std::string, 4> words{"/bin/sh", "-c", script, folder};
  std::array<char*, 5> arguments{words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  pid_t helper = -1;
  if (::posix_spawn(&helper, "/bin/sh", &actions, &attributes, arguments.data(), environ) != 0) helper = -1;
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  return {helper, ends[1]};
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::string& name) {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  if (error) throw EngineFailure("there is no temporary folder: set TMPDIR to one that exists");
  std::string path = (parent / (name + "-XXXXXX")).string();
  if (::mkdtemp(path.data()) == nullptr) {  // with mode 0700
    throw EngineFailure(fmt::format("cannot make a folder in '{}': {}", parent.string(), words(errno)));
  }
  path_ = path;
  std::tie(helper_, lifeline_) = helper_that_removes(path);
}

TemporaryFolder::~TemporaryFolder() {
  if (helper_ > 0) {
    ::kill(helper_, SIGKILL);
    int status = 0;
    ::waitpid(helper_, &status, 0);
  }
  if (lifeline_ >= 0) ::close(lifeline_);
  std::error_code ignored;  // what cannot be removed is left to the system, which empties its temporary folder
  std::filesystem::remove_all(path_, ignored);
}

void TemporaryFolder::give_to(uid_t user, gid_t group) const {
  if (::chown(path_.c_str(), user, group) != 0) {
    throw EngineFailure(fmt::format("cannot give '{}' to user {}: {}", path_.string(), user, words(errno)));
  }
}

std::optional<RunAs> unprivileged(const std::string& name) {
  if (::geteuid() != 0) return std::nullopt;
  for (const char* candidate : {name.c_str(), "nobody"}) {
    if (const passwd* entry = ::getpwnam(candidate)) return RunAs{entry->pw_uid, entry->pw_gid};
  }
  return RunAs{65534, 65534};  // what the kernel takes for nobody
}

ServerProcess::ServerProcess(const std::vector<std::string>& command, const std::filesystem::path& log,
                             const std::optional<RunAs>& run_as)
    : log_(std::filesystem::absolute(log)) {
  pid_ = start(command, log_, run_as);
}

ServerProcess::~ServerProcess() { stop(SIGTERM); }

bool ServerProcess::is_running() { return pid_ > 0 && runs(pid_); }

void ServerProcess::stop(int signal) {
  if (pid_ <= 0) return;
  ::kill(-pid_, signal);
  wait_for_end(pid_);
  ::kill(-pid_, SIGKILL);  // also those that it started and left behind
  reap(pid_);
  pid_ = -1;
}

std::string ServerProcess::log_tail() const { return tail_of(log_); }

int free_port() {
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  if (socket.get() < 0 || ::bind(socket.get(), any, length) != 0 || ::getsockname(socket.get(), any, &length) != 0) {
    throw EngineFailure("cannot find a free port on 127.0.0.1: " + words(errno));
  }
  return ntohs(address.sin_port);
}

std::optional<std::filesystem::path> find_program(const std::string& program,
                                                  const std::vector<std::filesystem::path>& folders) {
  std::vector<std::filesystem::path> places = folders;
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) places.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  for (const std::filesystem::path& place : places) {
    const std::filesystem::path file = place / program;
    std::error_code error;
    if (std::filesystem::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0) return file;
  }
  return std::nullopt;
}

void wait_until_ready(ServerProcess& server, const std::string& name, double seconds,
                      const std::function<bool()>& ready) {
  const Clock::time_point begin = Clock::now();
  while (!ready()) {
    if (!server.is_running()) {
      throw EngineFailure(fmt::format("{} ended before it was ready.{}", name, output_of(server.log_tail())));
    }
    if (std::chrono::duration<double>(Clock::now() - begin).count() > seconds) {
      throw EngineFailure(
          fmt::format("{} was not ready within {} seconds.{}", name, seconds, output_of(server.log_tail())));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
}

void run_to_end(const std::vector<std::string>& command, const std::filesystem::path& log,
                const std::optional<RunAs>& run_as) {
  const std::filesystem::path file = std::filesystem::absolute(log);
  int status = 0;
  reap(start(command, file, run_as), &status);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  const std::string how = WIFEXITED(status) ? fmt::format("failed with exit status {}", WEXITSTATUS(status))
                                            : fmt::format("was ended by signal {}", WTERMSIG(status));
  throw EngineFailure(fmt::format("'{}' {}.{}", command[0], how, output_of(tail_of(file))));
}

}  // namespace fencecheck::engines
