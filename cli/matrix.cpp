// `fencecheck matrix`
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include <fencecheck/cli/commands.h>
#include <fencecheck/report/matrix.h>

namespace fencecheck {
namespace {

/// Designs are independent, and most of their searches too small for several threads: each thread takes the next one.
class MatrixRun {
 public:
  MatrixRun(std::vector<const CatalogueEntry*> chosen, const MatrixCommand& command)
      : chosen_(std::move(chosen)), command_(command), results_(chosen_.size()) {}

  std::vector<MatrixResult> run() {
    std::vector<std::thread> threads;
    const int count = std::min(command_.threads, static_cast<int>(chosen_.size()));
    for (int t = 0; t < count; ++t) threads.emplace_back([this] { work(); });
    for (std::thread& thread : threads) thread.join();
    if (show_) fmt::print(stderr, "\r\x1b[K");
    if (error_) std::rethrow_exception(error_);
    return std::move(results_);
  }

 private:
  void work() {
    for (std::size_t i = next_++; i < chosen_.size(); i = next_++) {
      try {
        MatrixOptions options;
        options.bounds = chosen_[i]->bounds();
        options.switches = chosen_[i]->switches();
        options.most_faults = command_.most_faults;
        results_[i] = matrix(*chosen_[i]->design, options);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
        next_ = chosen_.size();
      }
      report_progress(chosen_[i]->design->text().name);
    }
  }

  void report_progress(const std::string& design) {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (show_) fmt::print(stderr, "\r\x1b[K{} of {} designs ({})", done_, chosen_.size(), design);
  }

  std::vector<const CatalogueEntry*> chosen_;
  const MatrixCommand& command_;
  std::vector<MatrixResult> results_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::size_t done_ = 0;
  bool show_ = wanted(command_.progress, STDERR_FILENO);
  std::exception_ptr error_;
};

}  // namespace

int matrix_command(const Catalogue& catalogue, const MatrixCommand& command) {
  std::vector<const CatalogueEntry*> chosen;
  for (const std::string& name : command.designs) chosen.push_back(&catalogue.find(name));
  if (chosen.empty()) {
    for (const CatalogueEntry& entry : catalogue.entries()) chosen.push_back(&entry);
  }
  const std::vector<MatrixResult> results = MatrixRun(chosen, command).run();
  std::vector<const DesignText*> texts;
  for (const CatalogueEntry* entry : chosen) texts.push_back(&entry->design->text());
  fmt::print("{}", command.format == "json"       ? matrix_json(results, texts)
                   : command.format == "markdown" ? matrix_markdown(results)
                                                  : matrix_text(results));
  return 0;
}

}  // namespace fencecheck
