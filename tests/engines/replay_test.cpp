// What the exploration remembers, merges and leaves out, against a naive reference: random runs of a design file's
// world, their statements sent once more, one after another, to a fresh engine that nothing is remembered of.
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fencecheck/engines/file_design.h>
#include <fencecheck/engines/statement_text.h>
#include <fencecheck/report/telling.h>

#include "example_files.h"

namespace fencecheck::tests {
namespace {

using engines::Answer;
using engines::DesignFile;
using engines::Engine;
using engines::FileDesign;

constexpr int walks = 12;
constexpr int steps_in_walk = 25;

/// A random run: each step is one of those that are possible.
ToldRun random_run(const World& world, std::mt19937_64& random) {
  ToldRun run;
  std::vector<std::byte> state = world.initial_states();
  run.initial = world.tell(state.data());
  const int workers = static_cast<int>(run.initial.workers.size());
  for (int i = 0; i < steps_in_walk; ++i) {
    std::vector<std::pair<explorer::Move, StepTold>> possible;
    for (int actor = explorer::Move::environment; actor < workers; ++actor) {
      for (std::size_t action = 0; action < world.action_count(); ++action) {
        std::vector<std::byte> copy = state;
        const explorer::Move move{static_cast<std::int16_t>(actor), static_cast<std::uint16_t>(action)};
        StepTold told;
        if (world.take(copy.data(), move, told)) possible.emplace_back(move, told);
      }
    }
    if (possible.empty()) break;
    const auto& [move, told] = possible[random() % possible.size()];
    StepTold again;
    EXPECT_TRUE(world.take(state.data(), move, again));
    append(run, told);
  }
  return run;
}

engines::Statement statement_of(const StatementTold& told) {
  engines::Statement statement{told.source, {}};
  for (const auto& [name, value] : told.parameters) statement.parameters.push_back({name, value});
  return statement;
}

/// A fresh engine, and the last backup of it.
struct Fresh {
  Fresh(const engines::EngineOptions& options, const std::vector<std::string>& setup)
      : engine(engines::open_engine(options)) {
    for (const std::string& each : setup) {
      EXPECT_TRUE(engine->run(engines::outside, {each})->error.empty()) << each;
    }
    start = engine->content().value();
  }

  void begin() {
    engine->load(start);
    backup = start;
  }

  std::unique_ptr<Engine> engine;
  engines::Content start;
  engines::Content backup;
};

/// Of one file: the lock's engine is another one only where the file says so.
struct FreshEngines {
  explicit FreshEngines(const DesignFile& file) : stores(file.engine, file.setup) {
    if (file.issuer && file.issuer->engine) lock.emplace(*file.issuer->engine, file.issuer->setup);
  }

  void begin() {
    stores.begin();
    if (lock) lock->begin();
  }
  Fresh& of(const StepTold& step) {
    const bool at_lock = !step.components.empty() && step.components[0] == 0;
    return lock && at_lock ? *lock : stores;
  }

  Fresh stores;
  std::optional<Fresh> lock;
};

/// Sends the statements of a run to fresh engines, and compares each answer with what the run tells.
void send_again(FreshEngines& fresh_engines, const DesignFile& file, const ToldRun& run) {
  for (int i = 0; i < run.length(); ++i) {
    const StepTold& step = run.steps[static_cast<std::size_t>(i)];
    Fresh& fresh = fresh_engines.of(step);
    Engine& engine = *fresh.engine;
    if (step.kind == ActionKind::backup) fresh.backup = engine.content().value();
    if (step.kind == ActionKind::restore) static_cast<void>(engine.restore(fresh.backup));
    std::vector<std::pair<int, Answer>> unblocked;
    for (const StatementTold& told : step.statements) {
      const int session = told.worker + 1;
      const bool own = told.worker < 0 || told.worker == step.move.actor;
      SCOPED_TRACE("step " + std::to_string(i + 1) + ": " + told.text);
      if (told.source.empty() && step.kind == ActionKind::restore) continue;  // how it was restored, in words
      if (told.source.empty()) {
        engine.end(session);
      } else if (own) {
        const std::optional<Answer> answer = engine.run(session, statement_of(told));
        if (!told.answer.empty()) {
          EXPECT_EQ(engines::in_words(told.source, answer), told.answer);
        }
      } else {
        ASSERT_FALSE(unblocked.empty()) << "it went on in the exploration";
        EXPECT_EQ(unblocked.front().first, session);
        EXPECT_EQ(engines::in_words(told.source, unblocked.front().second), told.answer);
        unblocked.erase(unblocked.begin());
        continue;
      }
      for (auto& each : engine.unblocked()) unblocked.push_back(each);
    }
    EXPECT_TRUE(unblocked.empty()) << "step " << i + 1 << ": nothing went on in the exploration";
    if (testing::Test::HasFailure()) return;
  }
  const std::vector<ComponentTold>& wanted = (run.length() == 0 ? run.initial : run.steps.back().after).components;
  for (std::size_t s = 0; s < file.stores.size(); ++s) {
    const std::optional<Answer> seen = fresh_engines.stores.engine->run(engines::outside, {file.stores[s].read});
    ASSERT_TRUE(seen.has_value());
    const bool unnamed = seen->columns == std::vector<std::string>{"result"};  // one part a row
    for (std::size_t c = 0; c < wanted[1 + s].fields.size(); ++c) {
      const FieldTold& field = wanted[1 + s].fields[c];
      const auto& row = unnamed ? c : 0;
      const engines::Cell cell = row < seen->table.size() ? seen->table[row][unnamed ? 0 : c] : engines::Cell{};
      const std::string found = field.word.empty() ? "v" + std::to_string(field.number) : field.word;
      EXPECT_EQ(cell.value_or("none"), found) << field.name;
    }
  }
}

class EachRun : public testing::TestWithParam<std::string> {};

TEST_P(EachRun, AnswersTheSameToARunThatNothingIsRememberedOf) {
  const FileDesign design(engines::read_design_file(path_of_example(GetParam())));
  std::mt19937_64 random(20240229);
  try {
    Bounds bounds = design.standard_bounds();
    bounds.late_requests = 1;
    bounds.duplicates = 1;
    const std::unique_ptr<World> world = design.world(bounds, {});
    FreshEngines fresh(design.file());
    for (int walk = 0; walk < walks && !HasFailure(); ++walk) {
      const ToldRun run = random_run(*world, random);
      EXPECT_GT(run.length(), 4);
      fresh.begin();
      SCOPED_TRACE("walk " + std::to_string(walk));
      send_again(fresh, design.file(), run);
    }
  } catch (const engines::EngineMissing& missing) {
    GTEST_SKIP() << missing.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, EachRun, testing::ValuesIn(example_files()),
                         [](const auto& file) { return test_name(file.param); });

}  // namespace
}  // namespace fencecheck::tests
