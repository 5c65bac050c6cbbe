// A run of a design file as something to step through by hand: a script for two terminals, or a specification for
// PostgreSQL's isolation tester.
#pragma once

#include <string>

#include <fencecheck/model/telling.h>
#include <fencecheck/report/telling.h>

namespace fencecheck {

/// The statements of `run` in order, each with the terminal that it is to be typed in and the answer that it got.
/// `design` must have a store (`DesignText::store_setup`).
std::string sql_script(const ToldRun& run, const DesignText& design, const PropertyInfo& violated);

/// The same as a specification for `pg_isolation_regress`: a session for each worker, and one permutation.
std::string isolation_spec(const ToldRun& run, const DesignText& design, const PropertyInfo& violated);

}  // namespace fencecheck
