#include <fencecheck/report/trace_file.h>

#include <fmt/core.h>

#include <algorithm>

#include <fencecheck/report/json_run.h>

namespace fencecheck {
namespace {

constexpr const char* format_name = "fencecheck-trace";
constexpr int format_version = 1;

// FNV-1a, 64 bits: not against forgery, only to notice that a file was damaged or edited.
std::string digest_of(const Json& json) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : json.dump()) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return fmt::format("{:016x}", hash);
}

[[noreturn]] void reject(const std::string& path, const std::string& why) {
  throw UsageError(fmt::format("{}: {}", path, why));
}

/// An error of the JSON library without its number: "[json.exception.type_error.302] type must be …".
std::string without_id(const std::string& message) {
  const std::size_t end = message.find("] ");
  return end == std::string::npos ? message : message.substr(end + 2);
}

Json parsed(const std::string& path, const std::string& content) {
  // No trace is nested deeper than a field of a component of a step.
  constexpr int deepest = 16;
  const auto not_too_deep = [&](int depth, Json::parse_event_t, const Json&) {
    if (depth > deepest) reject(path, "not a trace file: it is nested too deeply");
    return true;
  };
  try {
    return Json::parse(content, not_too_deep);
  } catch (const nlohmann::json::parse_error& error) {
    const std::string before = content.substr(0, error.byte == 0 ? 0 : error.byte - 1);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
    reject(path, fmt::format("cut off, or not a trace file: its JSON breaks off at line {}, column {}", line, column));
  }
}

Bounds bounds_of(const std::string& path, const Json& json) {
  try {
    return bounds_from(json);
  } catch (const UsageError& error) {
    reject(path, error.what());
  }
}

/// Throws where a step lacks what it is taken by.
void require_step(const Json& step) {
  static_cast<void>(step.at("action").get<std::string>());
  static_cast<void>(step.at("component").get<std::string>());
  static_cast<void>(step.at("worker"));
}

/// Takes the step that `wanted` describes. False where the world cannot take it.
bool take_described(const World& world, std::byte* state, const Json& wanted, StepTold& told) {
  const std::string action = wanted.at("action").get<std::string>();
  const std::string component = wanted.at("component").get<std::string>();
  std::int16_t actor = explorer::Move::environment;
  if (wanted.at("worker").is_string()) {
    const StateTold now = world.tell(state);
    const auto count = static_cast<int>(now.workers.size());
    for (int i = 0; i < count; ++i) {
      if (actor_name(now, i) == wanted.at("worker").get<std::string>()) actor = static_cast<std::int16_t>(i);
    }
    if (actor == explorer::Move::environment) return false;
  }
  const std::vector<std::byte> before(state, state + world.state_bytes());
  for (std::size_t a = 0; a < world.actions().size(); ++a) {
    if (world.actions()[a].name != action) continue;
    if (!world.take(state, {actor, static_cast<std::uint16_t>(a)}, told)) continue;
    if (component_names(told) == component) return true;
    std::copy(before.begin(), before.end(), state);
  }
  return false;
}

/// "answer: was "accepted", is now "stale"", for the first member that differs.
std::string first_difference(const Json& was, const Json& is) {
  for (const auto& [key, value] : was.items()) {
    if (!is.contains(key)) return fmt::format("{}: was {}, is gone", key, value.dump());
    if (key == "statements") continue;  // mended ones are others on purpose; what they did shows in the rest
    if (is[key] != value) return fmt::format("{}: was {}, is now {}", key, value.dump(), is[key].dump());
  }
  return {};
}

}  // namespace

std::string trace_file(const CheckResult& result, const DesignText& design, const PropertyResult& property) {
  Json json;
  json["format"] = format_name;
  json["version"] = format_version;
  json["design"] = result.design;
  json["bounds"] = json_of(result.bounds);
  json["switches"] = Json::object();
  for (const auto& [name, value] : result.switches) json["switches"][name] = value;
  json["property"] = property.info.name;
  json["steps"] = json_of(*property.trace, design.properties);
  json["digest"] = digest_of(json);
  return json.dump(2) + "\n";
}

TraceFile read_trace_file(const std::string& path, const std::string& content) {
  Json json = parsed(path, content);
  if (!json.is_object() || !json.contains("format") || json["format"] != format_name) {
    reject(path, "not a trace file: those are written by `fencecheck check DESIGN --trace FILE`");
  }
  const Json version = json.value("version", Json(nullptr));
  if (version != format_version) {
    reject(path,
           fmt::format("a trace file of version {}; this command reads version {}", version.dump(), format_version));
  }
  const Json digest = json.value("digest", Json(nullptr));
  json.erase("digest");
  if (digest != digest_of(json)) {
    reject(path, "the file was edited or damaged since it was written (its digest does not fit); save the trace anew");
  }
  TraceFile file;
  try {
    file.design = json.at("design").get<std::string>();
    file.bounds = bounds_of(path, json.at("bounds"));
    if (!json.at("switches").is_object()) reject(path, "not a whole trace file: 'switches' is no object");
    file.switches = switches_from(json.at("switches"));
    file.property = json.at("property").get<std::string>();
    if (!json.at("steps").is_array()) reject(path, "not a whole trace file: 'steps' is no list");
    for (const Json& step : json.at("steps")) require_step(step);
    file.steps_json = json.at("steps").dump();
  } catch (const nlohmann::json::exception& error) {
    reject(path, fmt::format("not a whole trace file: {}", without_id(error.what())));
  }
  return file;
}

Replay replay(const Design& design, const TraceFile& file) {
  const std::vector<PropertyText>& properties = design.text().properties;
  const auto property = std::find_if(properties.begin(), properties.end(),
                                     [&](const PropertyText& each) { return each.info.name == file.property; });
  if (property == properties.end()) {
    throw UsageError(fmt::format("the design {} has no property '{}' any more", file.design, file.property));
  }
  const explorer::Targets bit = explorer::Targets{1}
                                << violated_target(static_cast<std::size_t>(property - properties.begin()));
  const std::unique_ptr<World> world = design.world(file.bounds, file.switches);
  std::vector<std::byte> state = world->initial_states();
  const Json steps = Json::parse(file.steps_json);

  Replay replay;
  replay.run.initial = world->tell(state.data());
  for (const Json& wanted : steps) {
    StepTold step;
    const int number = replay.run.length() + 1;
    if (!take_described(*world, state.data(), wanted, step)) {
      const std::string who =
          wanted.at("worker").is_string() ? " by worker " + wanted.at("worker").get<std::string>() : "";
      replay.difference = fmt::format("step {}, \"{}\"{}, is not possible any more", number,
                                      wanted.at("action").get<std::string>(), who);
      return replay;
    }
    append(replay.run, step);
    if (!replay.difference.empty()) continue;
    const std::string difference = first_difference(wanted, json_of(replay.run, properties).back());
    if (!difference.empty()) replay.difference = fmt::format("step {}: {}", number, difference);
  }
  if (property->info.subject == Subject::liveness) {
    // No step breaks it: what counts is where the states after the run can lead.
    CheckOptions options;
    options.bounds = file.bounds;
    options.switches = file.switches;
    options.properties = {file.property};
    replay.still_breaks = check(design, options).properties.front().verdict == Verdict::violated;
    return replay;
  }
  replay.still_breaks = !replay.run.steps.empty() && (replay.run.steps.back().targets & bit) != 0;
  return replay;
}

}  // namespace fencecheck
