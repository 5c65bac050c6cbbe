// A told run as a JSON value: the same in reports and in trace files. Internal: needs nlohmann/json.
#pragma once

#include <nlohmann/json.hpp>

#include <fencecheck/report/telling.h>

namespace fencecheck {

using Json = nlohmann::ordered_json;

/// The steps of `run`, one object each. `properties` names the bits of a step's targets.
Json json_of(const ToldRun& run, const std::vector<PropertyText>& properties);

Json json_of(const Bounds& bounds);

/// Throws UsageError where a member is missing or of another kind.
Bounds bounds_from(const Json& json);

/// The values of switches by name. Throws nlohmann::json::exception where one is no text.
SwitchValues switches_from(const Json& json);

}  // namespace fencecheck
