#include <fencecheck/report/json.h>

#include <fmt/core.h>

#include <algorithm>

#include <fencecheck/report/boundary.h>
#include <fencecheck/report/json_run.h>
#include <fencecheck/report/names.h>
#include <fencecheck/report/story.h>

namespace fencecheck {
namespace {

Json json_of(const ToldRun& run, const FieldTold& field) {
  if (field.type == "flag") return field.number != 0;
  const std::string text = field_text(run, field);
  if (text == "-") return nullptr;
  if (text == std::to_string(field.number)) return field.number;
  return text;
}

Json json_of(const ToldRun& run, const std::vector<FieldTold>& fields) {
  Json json = Json::object();
  for (const FieldTold& field : fields) json[field.name] = json_of(run, field);
  return json;
}

Json visited(const ToldRun& run, const StepTold& step, const StateTold& state) {
  Json json = Json::object();
  for (const int component : step.components) {
    if (static_cast<std::size_t>(component) >= state.components.size()) continue;
    const ComponentTold& told = state.components[static_cast<std::size_t>(component)];
    json[told.name] = json_of(run, told.fields);
  }
  return json;
}

Json grant_of(const ToldRun& run, int lease) {
  if (lease == 0) return nullptr;
  const GrantTold& grant = run.grants[static_cast<std::size_t>(lease - 1)];
  return {{"name", grant_name(run, lease)}, {"lease", lease}, {"issued_at_step", grant.step}};
}

Json names_of(explorer::Targets targets, const std::vector<PropertyText>& properties, int (*target)(std::size_t)) {
  Json names = Json::array();
  for (std::size_t i = 0; i < properties.size(); ++i) {
    if ((targets >> target(i) & 1) != 0) names.push_back(properties[i].info.name);
  }
  return names;
}

Json json_of(const ToldRun& run, int number, const std::vector<PropertyText>& properties) {
  const StepTold& step = run.steps[static_cast<std::size_t>(number - 1)];
  const bool fault = step.move.actor < 0;
  Json json;
  json["step"] = number;
  json["worker"] = fault ? Json(nullptr) : Json(actor_name(step.before, step.move.actor));
  json["action"] = step.action;
  if (step.kind == ActionKind::arrival) json["arrived"] = step.arrived;
  json["component"] = component_names(step);
  json["grant"] = grant_of(run, step.lease);
  json["token"] = step.lease == 0 ? Json(nullptr) : Json(run.grants[static_cast<std::size_t>(step.lease - 1)].token);
  json["sent"] = json_of(run, step.sent);
  json["before"] = visited(run, step, step.before);
  json["after"] = visited(run, step, step.after);
  if (!fault) {
    json["memory"] = json_of(run, step.after.workers[static_cast<std::size_t>(step.move.actor)].memory);
  }
  json["guards"] = Json::array();
  for (const GuardTold& guard : step.guards) json["guards"].push_back({{"name", guard.name}, {"passed", guard.passed}});
  for (const StatementTold& each : step.statements) {
    json["statements"].push_back({{"worker", each.worker < 0 ? Json(nullptr) : Json(worker_name(each.worker))},
                                  {"text", each.text},
                                  {"answer", each.answer}});
  }
  json["answer"] = is_visit(step.kind) ? Json(step.reply) : Json(nullptr);
  json["wrote"] = Json::array();
  for (const int store : step.wrote) {
    json["wrote"].push_back(step.before.components[static_cast<std::size_t>(store) + 1].name);
  }
  json["violates"] = names_of(step.targets, properties, violated_target);
  json["handles"] = names_of(step.targets, properties, handled_target);
  return json;
}

Json json_of(const std::optional<ToldRun>& run, const std::vector<PropertyText>& properties) {
  return run ? json_of(*run, properties) : Json(nullptr);
}

Json json_of(const PropertyResult& each, const DesignText& design) {
  Json json;
  json["name"] = each.info.name;
  json["verdict"] = to_string(each.verdict);
  json["vacuous"] = each.vacuous;
  json["trace_length"] = each.trace ? Json(each.trace->length()) : Json(nullptr);
  json["trace"] = json_of(each.trace, design.properties);
  json["witness_length"] = each.witness_length ? Json(*each.witness_length) : Json(nullptr);
  json["witness"] = json_of(each.witness, design.properties);
  if (each.trace) {
    json["why_bad"] = why_bad(*each.trace, each.info);
    json["boundary"] = failed_boundary(*each.trace, each.info);
    json["held"] = what_held(*each.trace, design.properties, each.info);
  }
  return json;
}

Json json_of(const CheckResult& result, const DesignText& design) {
  Json json;
  json["design"] = result.design;
  json["bounds"] = json_of(result.bounds);
  json["switches"] = Json::object();
  for (const auto& [name, value] : result.switches) json["switches"][name] = value;
  json["symmetry"] = result.symmetry ? "on" : "off";
  if (result.simulation) {
    json["simulation"] = {
        {"walks", result.simulation->walks}, {"seed", result.simulation->seed}, {"steps", result.simulation->steps}};
  }
  json["complete"] = result.complete;
  json["stopped_by"] =
      result.stopped_by == explorer::StoppedBy::nothing ? Json(nullptr) : Json(to_string(result.stopped_by));
  json["states"] = result.states;
  json["transitions"] = result.transitions;
  json["depth"] = result.depth;
  json["full_states"] = result.full_states;
  json["full_transitions"] = result.full_transitions;
  json["actions"] = Json::object();
  for (const auto& [name, fired] : result.actions) json["actions"][name] = fired;
  json["properties"] = Json::array();
  for (const PropertyResult& each : result.properties) json["properties"].push_back(json_of(each, design));
  if (!result.account.empty()) json["store"] = result.account;
  json["run"] = {
      {"seconds", result.seconds}, {"threads", result.threads}, {"peak_memory_bytes", result.peak_memory_bytes}};
  return json;
}

}  // namespace

Json json_of(const ToldRun& run, const std::vector<PropertyText>& properties) {
  Json json = Json::array();
  for (int step = 1; step <= run.length(); ++step) json.push_back(json_of(run, step, properties));
  return json;
}

namespace {

void require_known(const std::string& key) {
  std::vector<std::string> known{"workers", "leases", "expiry"};
  for (const FaultText& fault : faults) known.push_back(file_key(fault));
  if (std::find(known.begin(), known.end(), key) == known.end()) {
    throw UsageError("bounds: " + unknown_name("bound", key, known));
  }
}

}  // namespace

Json json_of(const Bounds& bounds) {
  Json json{{"workers", bounds.workers}, {"leases", bounds.leases}};
  json["issuer_restores"] = bounds.issuer_restores;
  json["store_restores"] = bounds.store_restores;
  json["expiry"] = bounds.expiry;
  for (const FaultText& fault : faults) {
    if (bounds.*fault.budget != 0) json[file_key(fault)] = bounds.*fault.budget;
  }
  return json;
}

SwitchValues switches_from(const Json& json) {
  SwitchValues switches;
  for (const auto& [name, value] : json.items()) switches[name] = value.get<std::string>();
  return switches;
}

Bounds bounds_from(const Json& json) {
  const auto member = [&](const char* name) -> const Json& {
    if (!json.is_object() || !json.contains(name)) throw UsageError(fmt::format("bounds: '{}' is missing", name));
    return json.at(name);
  };
  const auto number = [&](const char* name) {
    const Json& value = member(name);
    const bool fits = value.is_number_integer() && value >= -1 && value <= 1'000'000;
    if (!fits) throw UsageError(fmt::format("bounds: '{}' is {}; it must be a whole number", name, value.dump()));
    return value.get<int>();
  };
  Bounds bounds;
  bounds.workers = number("workers");
  bounds.leases = number("leases");
  for (const FaultText& fault : faults) {
    if (json.contains(file_key(fault))) bounds.*fault.budget = number(file_key(fault).c_str());
  }
  for (const auto& [key, value] : json.items()) require_known(key);
  if (!json.contains("expiry")) return bounds;
  const Json& expiry = member("expiry");
  if (!expiry.is_boolean()) {
    throw UsageError(fmt::format("bounds: 'expiry' is {}; it must be true or false", expiry.dump()));
  }
  bounds.expiry = expiry.get<bool>();
  return bounds;
}

std::string json_report(const CheckResult& result, const DesignText& design) {
  return json_of(result, design).dump(2) + "\n";
}

std::string json_report(const std::vector<CheckResult>& results, const std::vector<const DesignText*>& designs) {
  Json json;
  json["designs"] = Json::array();
  for (std::size_t i = 0; i < results.size(); ++i) json["designs"].push_back(json_of(results[i], *designs[i]));
  return json.dump(2) + "\n";
}

}  // namespace fencecheck
