// A design file: a store as its user really has it, in TOML. docs/engines.md teaches the format.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fencecheck/engines/engine.h>
#include <fencecheck/model/bounds.h>
#include <fencecheck/model/step.h>

namespace fencecheck::engines {

/// `:left OP right`, a comparison that the client makes by itself between two statements.
struct Comparison {
  std::string left;   ///< a parameter's name
  std::string op;     ///< = != < <= > >=
  std::string right;  ///< a parameter with its colon, a number, a 'text', or null
  std::string text;   ///< as the file has it

  /// Numbers are compared as numbers, other things as text. Null equals null alone, and is neither less nor more.
  bool holds(const Cell& left_value, const Cell& right_value) const;
};

/// What an answer means: the first rule that fits says it.
struct Rule {
  std::optional<std::int64_t> rows = {};  ///< that many came back or were changed
  std::optional<std::string> error = {};  ///< this code; "any" for each
  std::optional<Comparison> when = {};
  std::string name = {};  ///< what the condition is called in a run; for `when`, the comparison itself
  Reply reply = Reply::next;
  std::string word = {};  ///< as the file has it: "duplicate" is told as such, and means accepted
};

/// One atomic step: a statement, and what its answer means.
struct FileStep {
  std::string name;
  std::string begin = {};  ///< sent just before it in the same step: it takes no lock and no snapshot by itself
  std::string run = {};
  std::vector<std::string> keep = {};  ///< names for the first columns of the first row
  std::vector<Rule> rules = {};
  int store = 0;
  bool first_of_visit = true;
  bool retry = false;   ///< made anew, from the first step of its visit, when its reply was lost
  bool new_id = false;  ///< sent under another request id than the operation's own
  bool basis = false;   ///< what it reads is the basis of the write
  int line = 0;
};

struct FileStore {
  std::string name;
  std::string read;  ///< first row: `value` is whose payload it is, `effect` counts, anything else is shown
  std::vector<std::string> fields = {};  ///< what the parts of an answer are that names none, as Redis' are
};

/// A lock in the store itself; without one, fencecheck's own lock service grants.
struct FileIssuer {
  std::string name = "lock";
  std::optional<EngineOptions> engine;  ///< of its own; else it is in the same one as the stores
  std::vector<std::string> setup;       ///< of that engine
  std::string holder;                 ///< gives the `:handle` or the token of the grant that holds the lock, or nothing
  std::vector<std::string> expire;    ///< the lease of the holder ends
  std::vector<std::string> restored;  ///< what an operator does after a restore, before anybody is served
  std::vector<FileStep> acquire;
  std::vector<FileStep> release;
};

struct ExpectedVerdict {
  std::string property;
  std::string verdict;            ///< holds, violated, unknown
  std::optional<int> steps = {};  ///< of a violation
  int line = 0;
};

struct DesignFile {
  std::string path;
  std::string name;
  std::string summary;
  EngineOptions engine;
  std::map<std::string, int> settings_lines;  ///< by the engine's kind
  std::vector<std::string> setup;
  std::vector<FileStore> stores;
  std::string reader;  ///< several columns named value…: what a reader puts together; empty: none
  std::optional<FileIssuer> issuer;
  bool releases = true;
  std::vector<FileStep> writes;
  Bounds bounds;
  std::vector<std::string> properties;  ///< asked for beyond those that apply by themselves
  int properties_line = 0;
  std::vector<ExpectedVerdict> expected;
};

/// What can happen to a design file's world, beside expiry; an issuer is restored only where it has an engine of its
/// own.
const std::vector<Fault>& faults_of_files();

/// Whether the file's own lock hands out tokens.
bool keeps_token(const DesignFile& file);

/// The parameters that every statement of a worker may use.
const std::vector<std::string>& standard_parameters();

/// Reads a design file. Throws UsageError with path, line and column.
DesignFile read_design_file(const std::string& path);

/// The same for a text; `path` is for messages.
DesignFile parse_design_file(const std::string& text, const std::string& path);

}  // namespace fencecheck::engines
