// A check's result as JSON. All but the member `run` is the same bytes for the same input.
#pragma once

#include <string>
#include <vector>

#include <fencecheck/report/verdict.h>

namespace fencecheck {

/// One object, as docs/json.md describes it, with a line break at its end.
std::string json_report(const CheckResult& result, const DesignText& design);

/// `{"designs": […]}`: one such object for each.
std::string json_report(const std::vector<CheckResult>& results, const std::vector<const DesignText*>& designs);

}  // namespace fencecheck
