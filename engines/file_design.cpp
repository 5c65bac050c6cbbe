#include <fencecheck/engines/file_design.h>

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>

#include <fencecheck/engines/file_world.h>
#include <fencecheck/model/switches.h>
#include <fencecheck/report/names.h>

namespace fencecheck::engines {
namespace {

template <class P, class D>
constexpr PropertyText text_of() {
  return {P::info, applies<P, D>()};
}

template <class... P>
std::vector<PropertyText> all_properties(properties<P...>) {
  return {text_of<P, FileShape>()...};
}

bool has_effect(const DesignFile& file) {
  return std::any_of(file.stores.begin(), file.stores.end(),
                     [](const FileStore& store) { return store.read.find("effect") != std::string::npos; });
}

bool has_basis(const DesignFile& file) {
  return std::any_of(file.writes.begin(), file.writes.end(), [](const FileStep& step) { return step.basis; });
}

bool is_listed(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Properties that are judged only where a file names them.
const std::vector<std::string>& asked_for() {
  static const std::vector<std::string> names{"one-holder-at-a-time", "no-half-change", "reader-never-goes-back",
                                              "newer-request-fences-older"};
  return names;
}

/// What a file lacks for a property that does not apply to it: in its own words, and not in those of C++.
std::string_view lacking(std::string_view name) {
  if (is_listed(asked_for(), name)) return "to be named in the file's `properties`";
  if (name == "one-request-one-effect") return "a [[store]] whose `read` gives a column `effect`";
  if (name == "no-lost-update" || name == "snapshot-still-current") return "a step with `basis = true`";
  if (name == "reader-never-sees-a-mix" || name == "reader-never-sees-a-mix-at-rest") return "a [reader]";
  if (name == "no-foreign-release") return "workers that release the lock";
  if (name == "tokens-increase") return "an acquire that keeps a `token`";
  return "something that a design file cannot say";
}

/// Whether a property has anything to judge in a file that the shape has room for.
bool applies_to(const DesignFile& file, std::string_view name) {
  if (is_listed(asked_for(), name)) return is_listed(file.properties, name);
  // Where the lock is in the stores' engine, a write may free it.
  const bool shares = file.issuer && !file.issuer->engine;
  if (name == "no-foreign-release") return shares || (file.issuer ? !file.issuer->release.empty() : file.releases);
  if (name == "tokens-increase") return !file.issuer || keeps_token(file);
  if (name == "one-request-one-effect") return has_effect(file);
  if (name == "no-lost-update" || name == "snapshot-still-current") return has_basis(file);
  if (name == "reader-never-sees-a-mix" || name == "reader-never-sees-a-mix-at-rest") return !file.reader.empty();
  return true;
}

}  // namespace

FileDesign::FileDesign(DesignFile file) : file_(std::move(file)) {
  text_.name = file_.name;
  text_.summary = file_.summary;
  text_.properties = all_properties(FileProperties{});
  std::vector<std::string> known;
  for (PropertyText& each : text_.properties) {
    each.applies = each.applies && applies_to(file_, each.info.name);
    if (!each.applies) each.info.needs = lacking(each.info.name);
    known.emplace_back(each.info.name);
  }
  for (const std::string& name : file_.properties) {
    if (is_listed(known, name)) continue;
    throw UsageError(
        fmt::format("{}:{}: {}", file_.path, file_.properties_line, unknown_name("property", name, known)));
  }
  for (const ExpectedVerdict& each : file_.expected) {
    if (is_listed(known, each.property)) continue;
    throw UsageError(
        fmt::format("{}:{}: [expect]: {}", file_.path, each.line, unknown_name("property", each.property, known)));
  }
  const bool two_engines = file_.issuer && file_.issuer->engine;
  text_.store_engine = file_.engine.kind;
  if (two_engines) text_.store_engine += " and " + file_.issuer->engine->kind;
  text_.store_setup = file_.setup;
  if (const auto isolation = file_.engine.settings.find("isolation"); isolation != file_.engine.settings.end()) {
    text_.store_session = fmt::format("SET default_transaction_isolation = '{}'", isolation->second);
  }
  text_.faults = faults_of_files();
  if (file_.issuer && !two_engines) std::erase(text_.faults, Fault::issuer_restore);
}

FileDesign::~FileDesign() = default;

std::unique_ptr<World> FileDesign::world(const Bounds& bounds, const SwitchValues& switches) const {
  require_within_range(bounds, text_);
  for (const auto& [name, value] : switches) report_bad_switch(text_.name, {}, name, value);
  if (!exploration_) exploration_ = std::make_shared<Exploration>(file_);
  explorer::Targets judged = 0;
  for (std::size_t i = 0; i < text_.properties.size(); ++i) {
    if (!text_.properties[i].applies) continue;
    judged |= explorer::Targets{1} << violated_target(i) | explorer::Targets{1} << handled_target(i);
  }
  return std::make_unique<FileWorld>(file_, exploration_, bounds, judged);
}

}  // namespace fencecheck::engines
