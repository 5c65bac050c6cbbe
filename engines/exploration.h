// The engines of one design file and everything known of them: one for all, or one for the stores and another for the
// lock.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <fencecheck/engines/design_file.h>
#include <fencecheck/engines/situations.h>

namespace fencecheck::engines {

/// What an engine is there for. Where a file has one engine, both mean that one.
enum class Side : std::uint8_t { stores, lock };

/// Of an answer's first row the column `name`; nothing where there is none.
Cell column(const Answer& answer, const std::string& name);

class Exploration {
 public:
  /// Starts the engines and runs their setup. Throws UsageError where a statement of the file fails, EngineMissing,
  /// EngineFailure.
  explicit Exploration(const DesignFile& file);

  Situations& situations(Side side) { return *(is_shared() || side == Side::stores ? stores_ : lock_).situations; }
  bool is_shared() const { return lock_.situations == nullptr; }

  /// What the file's queries give of a content of the stores' engine: of the stores first, each as one row with named
  /// columns; then of the reader, where there is one.
  const std::vector<Answer>& seen(Situations::Number content);

  /// What the issuer's `holder` gives in a content of the lock's engine; nothing where the lock is free.
  Cell holder(Situations::Number content);

  /// The engines, and how much each had to do, in words.
  std::string account() const;

  /// A value that an answer gave, as a number from 1; 0 for nothing. Throws UsageError where there are too many.
  int number_of(const Cell& cell);
  Cell value(int number) const;

  std::mutex& mutex() { return mutex_; }

 private:
  struct Driven {
    std::unique_ptr<Engine> engine;
    std::unique_ptr<Situations> situations;
  };

  std::unique_ptr<Engine> opened(const EngineOptions& options) const;
  Driven drive(const EngineOptions& options, const std::vector<std::string>& setup,
               const std::vector<Statement>& views) const;
  void require_columns();

  const DesignFile& file_;
  Driven stores_;
  Driven lock_;                                             // empty where the stores' engine has the lock too
  std::map<Situations::Number, std::vector<Answer>> seen_;  // of contents that were asked for
  std::vector<std::string> values_;
  std::mutex mutex_;
};

}  // namespace fencecheck::engines
