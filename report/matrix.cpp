#include <fencecheck/report/matrix.h>

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include <fencecheck/report/json_run.h>
#include <fencecheck/report/story.h>

namespace fencecheck {
namespace {

constexpr std::size_t expiry = fault_count;  // the last place of a set; the others are those of `faults`

/// How often each fault may happen.
using FaultSet = std::array<int, fault_count + 1>;

bool contains(const FaultSet& larger, const FaultSet& smaller) {
  for (std::size_t f = 0; f < larger.size(); ++f) {
    if (larger[f] < smaller[f]) return false;
  }
  return true;
}

Bounds with_faults(Bounds bounds, const FaultSet& set) {
  for (std::size_t f = 0; f < fault_count; ++f) bounds.*faults[f].budget = set[f];
  bounds.expiry = set[expiry] != 0;
  return bounds;
}

std::vector<std::string> words(const FaultSet& set) {
  std::vector<std::string> result;
  if (set[expiry] != 0) result.emplace_back("expiry");
  for (std::size_t f = 0; f < fault_count; ++f) {
    const std::string name = fault_name(faults[f], set[f]);
    if (set[f] != 0) result.push_back(set[f] == 1 ? name : fmt::format("{} {}", set[f], name));
  }
  return result;
}

class Lattice {
 public:
  Lattice(const Design& design, const MatrixOptions& options) : design_(design), options_(options) {
    for (const Fault fault : design.text().faults) kinds_.push_back(static_cast<std::size_t>(fault));
    kinds_.push_back(expiry);
    std::sort(kinds_.begin(), kinds_.end(), [](std::size_t a, std::size_t b) {  // expiry first: it is in most sets
      return (a == expiry) != (b == expiry) ? a == expiry : a < b;
    });
    result_.design = design.text().name;
    result_.bounds = with_faults(options.bounds, {});
    result_.most_faults = options.most_faults;
  }

  MatrixResult run() {
    std::vector<std::string> open;
    for (const PropertyText& each : design_.text().properties) {
      if (!each.applies || each.info.subject == Subject::liveness) continue;
      open.emplace_back(each.info.name);
      result_.rows.push_back({std::string(each.info.name), {}, false});
    }
    close_what_holds_under_all(open);
    for (int size = 0; size <= options_.most_faults && !open.empty(); ++size) try_sets({}, 0, size, open);
    return std::move(result_);
  }

 private:
  MatrixRow& row(const std::string& property) {
    return *std::find_if(result_.rows.begin(), result_.rows.end(),
                         [&](const MatrixRow& each) { return each.property == property; });
  }

  CheckResult search(const FaultSet& set, const std::vector<std::string>& properties, std::uint64_t max_states) {
    CheckOptions check_options;
    check_options.bounds = with_faults(options_.bounds, set);
    check_options.switches = options_.switches;
    check_options.properties = properties;
    check_options.limits.max_states = max_states;
    ++result_.searches;
    try {
      return check(design_, check_options);
    } catch (const UsageError&) {  // under these faults a field outgrows its bits: the design has no answer for them
      return {};
    }
  }

  /// One search with every fault once saves many for what holds in it. Where it is too large, nothing is lost.
  void close_what_holds_under_all(std::vector<std::string>& open) {
    constexpr std::uint64_t worth_it = 400'000;
    FaultSet all{};
    for (const std::size_t kind : kinds_) all[kind] = 1;
    const CheckResult result = search(all, open, worth_it);
    for (const PropertyResult& each : result.properties) {
      if (each.verdict != Verdict::holds) continue;
      row(std::string(each.info.name)).holds_under_all = true;
      open.erase(std::find(open.begin(), open.end(), each.info.name));
    }
  }

  /// Tries every set with `left` more faults than `set`, of kinds from number `first` on.
  void try_sets(FaultSet set, std::size_t first, int left, const std::vector<std::string>& open) {
    if (left == 0) return try_set(set, open);
    for (std::size_t k = first; k < kinds_.size(); ++k) {
      FaultSet larger = set;
      const bool unlimited = kinds_[k] == expiry;
      if (!unlimited && larger[kinds_[k]] == faults[kinds_[k]].most) continue;
      ++larger[kinds_[k]];
      try_sets(larger, unlimited ? k + 1 : k, left - 1, open);
    }
  }

  void try_set(const FaultSet& set, const std::vector<std::string>& open) {
    const auto is_minimal = [&](const std::string& property) {
      const auto& smaller = found_[property];
      return std::none_of(smaller.begin(), smaller.end(), [&](const FaultSet& each) { return contains(set, each); });
    };
    std::vector<std::string> asked;
    std::copy_if(open.begin(), open.end(), std::back_inserter(asked), is_minimal);
    if (asked.empty()) return;
    const CheckResult result = search(set, asked, options_.max_states);
    result_.complete &= result.complete;
    for (const PropertyResult& each : result.properties) {
      if (each.verdict != Verdict::violated) continue;
      const std::string name(each.info.name);
      found_[name].push_back(set);
      row(name).sets.push_back({words(set), result.bounds, *each.trace});
    }
  }

  const Design& design_;
  const MatrixOptions& options_;
  std::vector<std::size_t> kinds_;
  std::map<std::string, std::vector<FaultSet>> found_;
  MatrixResult result_;
};

std::string set_text(const FewestFaults& set) {
  return fmt::format("{} ({})", set.faults.empty() ? "no fault" : fmt::format("{}", fmt::join(set.faults, " + ")),
                     set.run.length());
}

std::string row_text(const MatrixResult& result, const MatrixRow& row) {
  std::string text;
  for (const FewestFaults& set : row.sets) text += (text.empty() ? "" : "; ") + set_text(set);
  if (!text.empty()) return text;
  if (row.holds_under_all) return "holds under all faults at once";
  return fmt::format("holds under every {} fault{}", result.most_faults, result.most_faults == 1 ? "" : "s");
}

std::string world_text(const MatrixResult& result) {
  const auto count = [](int number, const char* noun) { return plural(static_cast<std::uint64_t>(number), noun); };
  return fmt::format("{}, {}, at most {}{}", count(result.bounds.workers, "worker"),
                     count(result.bounds.leases, "lease"), count(result.most_faults, "fault"),
                     result.complete ? "" : "; a search could not be finished, so a set may be missing");
}

}  // namespace

MatrixResult matrix(const Design& design, const MatrixOptions& options) { return Lattice(design, options).run(); }

std::string matrix_text(const std::vector<MatrixResult>& results) {
  std::string out;
  for (const MatrixResult& result : results) {
    out += fmt::format("{}{} ({})\n", out.empty() ? "" : "\n", result.design, world_text(result));
    for (const MatrixRow& row : result.rows) {
      constexpr std::size_t name_width = 34;
      std::string label = fmt::format("  {:<{}}", row.property, name_width);
      for (const std::string& line : wrapped(row_text(result, row), page_width - name_width - 2)) {
        out += label + line + "\n";
        label = std::string(name_width + 2, ' ');
      }
    }
  }
  return out;
}

std::string matrix_markdown(const std::vector<MatrixResult>& results) {
  std::string out;
  for (const MatrixResult& result : results) {
    out += fmt::format("\n## {}\n\n{}.\n\n| property | breaks with |\n|---|---|\n", result.design, world_text(result));
    for (const MatrixRow& row : result.rows) out += fmt::format("| {} | {} |\n", row.property, row_text(result, row));
  }
  return out;
}

std::string matrix_json(const std::vector<MatrixResult>& results, const std::vector<const DesignText*>& designs) {
  Json json;
  json["designs"] = Json::array();
  for (std::size_t i = 0; i < results.size(); ++i) {
    const MatrixResult& result = results[i];
    Json one{{"design", result.design},           {"workers", result.bounds.workers}, {"leases", result.bounds.leases},
             {"most_faults", result.most_faults}, {"searches", result.searches},      {"complete", result.complete}};
    one["properties"] = Json::array();
    for (const MatrixRow& row : result.rows) {
      Json sets = Json::array();
      for (const FewestFaults& set : row.sets) {
        sets.push_back({{"faults", set.faults},
                        {"bounds", json_of(set.bounds)},
                        {"trace_length", set.run.length()},
                        {"trace", json_of(set.run, designs[i]->properties)}});
      }
      one["properties"].push_back(
          {{"name", row.property}, {"holds_under_all_faults", row.holds_under_all}, {"fewest_faults", sets}});
    }
    json["designs"].push_back(std::move(one));
  }
  return json.dump(2) + "\n";
}

}  // namespace fencecheck
