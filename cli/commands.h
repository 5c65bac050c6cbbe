// The commands of the command line; each gives its exit code, and throws UsageError for the user's mistakes.
#pragma once

#include <string>

#include <fencecheck/cli/catalogue.h>
#include <fencecheck/cli/options.h>

namespace fencecheck {

int list_command(const Catalogue& catalogue);
int list_scenarios_command(const Catalogue& catalogue);
int show_command(const Catalogue& catalogue, const std::string& name, const std::vector<std::string>& set);

/// Checks the claims of the scenario `name`, each with the options `common` but its own bounds, switches and
/// properties.
int scenario_command(const Catalogue& catalogue, const std::string& name, const CheckOptions& common, bool color);
int check_command(const Catalogue& catalogue, const CheckCommand& command);
int mutate_command(const Catalogue& catalogue, const MutateCommand& command);
int matrix_command(const Catalogue& catalogue, const MatrixCommand& command);
int conform_command(const Catalogue& catalogue, const ConformCommand& command);
int replay_command(const Catalogue& catalogue, const std::string& path, const std::string& design_file,
                   const std::string& color);
int explain_command(const Catalogue& catalogue, const std::string& name);
/// A starter project in the folder `directory`; or, where that ends in .toml, a design file for a store of the kind
/// `engine`.
int init_command(const std::string& directory, const std::string& engine);

}  // namespace fencecheck
