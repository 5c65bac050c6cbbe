// The line on standard error that says how far a search has come.
#pragma once

#include <functional>
#include <string>

#include <fencecheck/explorer/search.h>

namespace fencecheck {

/// Shows progress once two seconds have passed, about once a second. On a terminal each line replaces the one before;
/// `clear` takes the last away.
class ProgressLine {
 public:
  ProgressLine(std::string design, bool enabled, bool simulating);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Empty where nothing is to be shown.
  std::function<void(const explorer::Progress&)> callback();
  void clear();

 private:
  void show(const explorer::Progress& progress);

  std::string design_;
  bool enabled_;
  bool simulating_;
  bool terminal_;
  bool shown_ = false;
};

}  // namespace fencecheck
