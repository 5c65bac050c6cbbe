#include <fencecheck/cli/progress.h>

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>

namespace fencecheck {
namespace {

std::string in_millions(std::uint64_t count) { return fmt::format("{:.1f} M", static_cast<double>(count) / 1e6); }

}  // namespace

ProgressLine::ProgressLine(std::string design, bool enabled, bool simulating)
    : design_(std::move(design)), enabled_(enabled), simulating_(simulating), terminal_(isatty(STDERR_FILENO) != 0) {}

std::function<void(const explorer::Progress&)> ProgressLine::callback() {
  if (!enabled_) return {};
  return [this](const explorer::Progress& progress) { show(progress); };
}

void ProgressLine::show(const explorer::Progress& progress) {
  if (progress.seconds < 2) return;
  std::string line;
  if (simulating_) {
    line = fmt::format("{}: {} walks, {} steps, {:.0f} s", design_, progress.states, progress.transitions,
                       progress.seconds);
  } else {
    line = fmt::format("{}: depth {}, {} states ({} to expand at this depth), {} states/s, {:.0f} s", design_,
                       progress.depth, in_millions(progress.states), in_millions(progress.waiting),
                       in_millions(static_cast<std::uint64_t>(static_cast<double>(progress.states) / progress.seconds)),
                       progress.seconds);
  }
  fmt::print(stderr, "{}{}{}", terminal_ ? "\r\x1b[K" : "", line, terminal_ ? "" : "\n");
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (shown_ && terminal_) fmt::print(stderr, "\r\x1b[K");
  shown_ = false;
}

}  // namespace fencecheck
