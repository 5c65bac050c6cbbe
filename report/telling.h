// A run, told step by step: the moves with everything that a report needs to know of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <fencecheck/explorer/search.h>
#include <fencecheck/model/world.h>

namespace fencecheck {

/// Which lease was granted to whom, and when.
struct GrantTold {
  int lease = 0;
  int worker = 0;
  int token = 0;
  int step = 0;  ///< counted from 1
};

/// A run from the initial state.
struct ToldRun {
  StateTold initial;
  std::vector<StepTold> steps;
  std::vector<GrantTold> grants;  ///< in the order of leases: grants[i] is lease i + 1

  int length() const { return static_cast<int>(steps.size()); }
};

/// Adds a step that was taken to the run, and the grant that it made if it made one.
void append(ToldRun& run, const StepTold& step);

/// The initial state.
StateTold told_at_start(const World& world);

/// Takes the moves one after another. Throws std::logic_error where one is not possible.
ToldRun tell_run(const World& world, const explorer::Run& run);

/// "A" for worker 0.
std::string worker_name(int worker);

/// "A" for worker 0; what a process that runs another program of the design is called.
std::string actor_name(const StateTold& state, int actor);

/// "A#1": the first lease granted, to A. "-" for none.
std::string grant_name(const ToldRun& run, int lease);

/// A field's number as a person reads it: "A#1" for handles and values, "-" where there is none.
std::string field_text(const ToldRun& run, const FieldTold& field);

/// The token that was sent with a visit; 0 for none.
int sent_token(const StepTold& step);

/// "the store", but "store 2".
std::string with_article(const std::string& name);

/// "issuer", or "issuer + store" for a step over several components.
std::string component_names(const StepTold& step);

/// The same for the components `visited`, numbered as in `state`; those that are not in use are left out.
std::string component_names(const std::vector<int>& visited, const StateTold& state);

}  // namespace fencecheck
