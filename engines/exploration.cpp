#include <fencecheck/engines/exploration.h>

#include <fmt/core.h>

#include <algorithm>

#include <fencecheck/model/world.h>

namespace fencecheck::engines {
namespace {

/// The answer to a store's query as one row with named columns. An engine that names none answers with one column
/// `result`: its rows are what `fields` says, or the value.
Answer named(const FileStore& store, const Answer& answer) {
  if (answer.columns != std::vector<std::string>{"result"}) return answer;
  Answer row = answer;
  row.columns = store.fields.empty() ? std::vector<std::string>{"value"} : store.fields;
  row.table.assign(1, {});
  for (std::size_t i = 0; i < row.columns.size(); ++i) {
    const bool there = i < answer.table.size() && !answer.table[i].empty();
    row.table[0].push_back(there ? answer.table[i][0] : Cell{});
  }
  return row;
}

}  // namespace

Cell column(const Answer& answer, const std::string& name) {
  const auto found = std::find(answer.columns.begin(), answer.columns.end(), name) - answer.columns.begin();
  const auto index = static_cast<std::size_t>(found);
  return answer.table.empty() || index >= answer.table[0].size() ? Cell{} : answer.table[0][index];
}

Exploration::Exploration(const DesignFile& file) : file_(file) {
  std::vector<Statement> views;
  for (const FileStore& store : file.stores) views.push_back({store.read, {}});
  if (!file.reader.empty()) views.push_back({file.reader, {}});
  const bool own_engine = file.issuer && file.issuer->engine;
  if (file.issuer && !own_engine) views.push_back({file.issuer->holder, {}});
  stores_ = drive(file.engine, file.setup, views);
  if (own_engine) lock_ = drive(*file.issuer->engine, file.issuer->setup, {{file.issuer->holder, {}}});
  require_columns();
}

/// What is wrong with the settings of an engine is told with the place where they are.
std::unique_ptr<Engine> Exploration::opened(const EngineOptions& options) const {
  try {
    return open_engine(options);
  } catch (const UsageError& error) {
    const auto line = file_.settings_lines.find(options.kind);
    if (!options.url.empty() || line == file_.settings_lines.end()) throw;
    throw UsageError(fmt::format("{}:{}: {}", file_.path, line->second, error.what()));
  }
}

Exploration::Driven Exploration::drive(const EngineOptions& options, const std::vector<std::string>& setup,
                                       const std::vector<Statement>& views) const {
  Driven driven;
  driven.engine = opened(options);
  for (const std::string& each : setup) {
    const std::optional<Answer> answer = driven.engine->run(outside, {each, {}});
    if (answer && answer->error.empty()) continue;
    throw UsageError(fmt::format("{}: the setup statement `{}` failed: {}", file_.path, each,
                                 answer ? answer->error + ": " + answer->message : "it is blocked"));
  }
  driven.situations = std::make_unique<Situations>(*driven.engine, views);
  const std::vector<Answer>& answers = driven.situations->seen(driven.situations->start());
  for (std::size_t v = 0; v < answers.size(); ++v) {
    if (answers[v].error.empty()) continue;
    throw UsageError(fmt::format("{}: the query `{}` failed: {}: {}", file_.path, views[v].text, answers[v].error,
                                 answers[v].message));
  }
  return driven;
}

/// Each store gives something that is judged.
void Exploration::require_columns() {
  const std::vector<Answer>& answers = seen(stores_.situations->start());
  for (std::size_t s = 0; s < file_.stores.size(); ++s) {
    const std::vector<std::string>& columns = answers[s].columns;
    const bool judged = std::any_of(columns.begin(), columns.end(),
                                    [](const std::string& name) { return name == "value" || name == "effect"; });
    if (judged) continue;
    throw UsageError(
        fmt::format("{}: the query of store \"{}\" gives no column `value` (whose payload lies there) and none "
                    "`effect` (how often something was done): name one with AS",
                    file_.path, file_.stores[s].name));
  }
}

const std::vector<Answer>& Exploration::seen(Situations::Number content) {
  const auto [known, is_new] = seen_.try_emplace(content);
  if (!is_new) return known->second;
  known->second = stores_.situations->seen(content);
  for (std::size_t s = 0; s < file_.stores.size(); ++s) known->second[s] = named(file_.stores[s], known->second[s]);
  return known->second;
}

Cell Exploration::holder(Situations::Number content) {
  const Answer& answer = situations(Side::lock).seen(content).back();
  const Cell cell = answer.table.empty() || answer.table[0].empty() ? Cell{} : answer.table[0][0];
  return cell && cell->empty() ? Cell{} : cell;
}

std::string Exploration::account() const {
  std::string text;
  for (const Driven* driven : {&stores_, &lock_}) {
    if (driven->situations == nullptr) continue;
    const Situations& s = *driven->situations;
    text += fmt::format("{}{}: {} statements run, {} outcomes remembered, {} contents, {} situations",
                        text.empty() ? "" : "; ", driven->engine->description(), s.calls(), s.remembered(),
                        s.content_count(), s.count());
  }
  return text;
}

int Exploration::number_of(const Cell& cell) {
  if (!cell) return 0;
  const auto known = std::find(values_.begin(), values_.end(), *cell) - values_.begin();
  if (known == static_cast<std::ptrdiff_t>(values_.size())) values_.push_back(*cell);
  if (values_.size() > 255) throw UsageError("the answers that are kept have more than 255 different values");
  return static_cast<int>(known) + 1;
}

Cell Exploration::value(int number) const {
  return number == 0 ? Cell{} : Cell(values_[static_cast<std::size_t>(number - 1)]);
}

}  // namespace fencecheck::engines
