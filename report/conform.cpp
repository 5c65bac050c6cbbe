#include <fencecheck/report/conform.h>

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

namespace fencecheck {
namespace {

using explorer::Move;

/// The actions of a world that are there, in an order that both worlds share: the steps first, then the faults.
using Counterparts = std::vector<std::pair<std::uint16_t, std::uint16_t>>;  // of the model, of the store

/// Arrivals are visits that nobody makes any more.
bool is_of_worker(ActionKind kind) {
  return (is_visit(kind) && kind != ActionKind::arrival) || kind == ActionKind::sent_late || kind == ActionKind::crash;
}

bool is_step(const StepText& text) { return text.kind == ActionKind::worker_step; }

std::vector<std::uint16_t> steps_of(const World& world) {
  std::vector<std::uint16_t> result;
  for (std::size_t a = 0; a < world.actions().size(); ++a) {
    if (is_step(world.actions()[a]) && world.actions()[a].present) result.push_back(static_cast<std::uint16_t>(a));
  }
  return result;
}

std::string names(const World& world, const std::vector<std::uint16_t>& actions) {
  std::vector<std::string> words;
  for (const std::uint16_t a : actions) words.push_back(world.actions()[a].name);
  return fmt::format("{}", fmt::join(words, ", "));
}

Counterparts counterparts(const World& model, const World& store) {
  Counterparts result;
  const std::vector<std::uint16_t> model_steps = steps_of(model);
  const std::vector<std::uint16_t> store_steps = steps_of(store);
  if (model_steps.size() != store_steps.size()) {
    throw UsageError(
        fmt::format("conform: the two programs have different shapes: the model's steps are {}; the file's are {}",
                    names(model, model_steps), names(store, store_steps)));
  }
  for (std::size_t i = 0; i < model_steps.size(); ++i) result.emplace_back(model_steps[i], store_steps[i]);
  for (std::size_t a = 0; a < model.actions().size(); ++a) {
    const StepText& of_model = model.actions()[a];
    if (is_step(of_model) || !of_model.present) continue;
    const auto same = [&](const StepText& other) {
      return other.kind == of_model.kind && other.present && other.components == of_model.components;
    };
    // The third lost reply of a store is that of its third step.
    auto before =
        std::count_if(model.actions().begin(), model.actions().begin() + static_cast<std::ptrdiff_t>(a), same);
    const auto found = std::find_if(store.actions().begin(), store.actions().end(),
                                    [&](const StepText& of_store) { return same(of_store) && before-- == 0; });
    if (found == store.actions().end()) {
      throw UsageError(
          fmt::format("conform: the file knows nothing like \"{}\", which can happen in the model: leave the "
                      "fault out of the bounds",
                      of_model.name));
    }
    result.emplace_back(static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(found - store.actions().begin()));
  }
  return result;
}

/// What a field is compared by: whose value it is, or the number or word that it shows.
std::string content_of(const FieldTold& field) {
  if (field.type == "value") return fmt::format("value of lease {}", field.number);
  return !field.word.empty() ? field.word : std::to_string(field.number);
}

/// The first thing in which the two states differ; empty where they agree.
std::string state_difference(const StateTold& model, const StateTold& store) {
  if (model.holder != store.holder) {
    return fmt::format("the lock is held by lease {} in the model, and by lease {} in the store (0: by none)",
                       model.holder, store.holder);
  }
  for (std::size_t c = 1; c < std::min(model.components.size(), store.components.size()); ++c) {
    for (const FieldTold& of_model : model.components[c].fields) {
      for (const FieldTold& of_store : store.components[c].fields) {
        if (of_model.name != of_store.name || content_of(of_model) == content_of(of_store)) continue;
        return fmt::format("{} of {} is {} in the model, and {} in the store", of_model.name, model.components[c].name,
                           content_of(of_model), content_of(of_store));
      }
    }
  }
  return {};
}

class Comparing {
 public:
  Comparing(const World& model, const World& store)
      : model_(model), store_(store), counterparts_(counterparts(model, store)) {}

  Conformity run(std::uint64_t max_pairs) {
    result_.compared = compared_fields();
    const auto workers = static_cast<int>(model_.tell(model_.initial_states().data()).workers.size());
    add(model_.initial_states(), store_.initial_states(), 0, {});
    for (std::size_t at = 0; at < pairs_.size(); ++at) {
      if (pairs_.size() > max_pairs) return result_;
      for (const auto& [of_model, of_store] : counterparts_) {
        const bool of_worker = is_of_worker(model_.actions()[of_model].kind);
        const int actors = of_worker ? workers : 1;
        for (int w = 0; w < actors; ++w) {
          const auto actor = of_worker ? static_cast<std::int16_t>(w) : Move::environment;
          if (!compare(at, {actor, of_model}, {actor, of_store})) return result_;
        }
      }
    }
    result_.complete = true;
    return result_;
  }

 private:
  struct Pair {
    std::vector<std::byte> model;
    std::vector<std::byte> store;
    std::size_t parent = 0;
    std::pair<Move, Move> moves = {};
  };

  std::string compared_fields() const {
    const StateTold model = model_.tell(model_.initial_states().data());
    const StateTold store = store_.tell(store_.initial_states().data());
    std::vector<std::string> names;
    for (std::size_t c = 1; c < std::min(model.components.size(), store.components.size()); ++c) {
      for (const FieldTold& of_model : model.components[c].fields) {
        for (const FieldTold& of_store : store.components[c].fields) {
          if (of_model.name == of_store.name) names.push_back(store.components[c].name + "." + of_store.name);
        }
      }
    }
    return names.empty() ? "no field: none has the same name in both" : fmt::format("{}", fmt::join(names, ", "));
  }

  /// Each world keeps the requests under way in an order of its own. Of those that are the same it does not matter
  /// which one arrives.
  Move arrival_at_store(std::size_t at, Move of_model, Move of_store) const {
    const std::vector<UnderWayTold> model = model_.tell(pairs_[at].model.data()).under_way;
    const std::vector<UnderWayTold> store = store_.tell(pairs_[at].store.data()).under_way;
    const std::size_t place = place_of_arrival(model_, of_model.action);
    if (place >= model.size()) return of_store;
    const auto same = [&](const UnderWayTold& each) {
      return each.lease == model[place].lease && each.step == step_at_store(model[place].step);
    };
    const auto found = std::find_if(store.begin(), store.end(), same);
    const std::size_t first = of_store.action - place;
    return {of_store.actor, static_cast<std::uint16_t>(first + static_cast<std::size_t>(found - store.begin()))};
  }

  static std::size_t place_of_arrival(const World& world, std::uint16_t action) {
    std::size_t place = 0;
    while (place < action && world.actions()[action - place - 1u].kind == ActionKind::arrival) ++place;
    return place;
  }

  const std::string& step_at_store(const std::string& of_model) const {
    const auto found = std::find_if(counterparts_.begin(), counterparts_.end(),
                                    [&](const auto& both) { return model_.actions()[both.first].name == of_model; });
    return store_.actions()[found->second].name;
  }

  void add(std::vector<std::byte> model, std::vector<std::byte> store, std::size_t parent,
           std::pair<Move, Move> moves) {
    std::string key(reinterpret_cast<const char*>(model.data()), model.size());
    key.append(reinterpret_cast<const char*>(store.data()), store.size());
    if (!known_.emplace(std::move(key), pairs_.size()).second) return;
    pairs_.push_back({std::move(model), std::move(store), parent, moves});
    result_.pairs = pairs_.size();
  }

  /// Takes one move in both. False where they disagree.
  bool compare(std::size_t at, Move of_model, Move of_store) {
    if (model_.actions()[of_model.action].kind == ActionKind::arrival) {
      of_store = arrival_at_store(at, of_model, of_store);
    }
    std::vector<std::byte> model = pairs_[at].model;
    std::vector<std::byte> store = pairs_[at].store;
    StepTold model_told;
    StepTold store_told;
    const bool model_can = model_.take(model.data(), of_model, model_told);
    const bool store_can = store_.take(store.data(), of_store, store_told);
    if (!model_can && !store_can) return true;
    ++result_.transitions;
    std::string difference;
    if (model_can != store_can) {
      difference = fmt::format("\"{}\" is possible {} alone", model_.actions()[of_model.action].name,
                               model_can ? "in the model" : "at the store");
    } else if (model_told.reply != store_told.reply) {
      difference = fmt::format("the model answers `{}`, the store `{}`", model_told.reply, store_told.reply);
    } else {
      difference = state_difference(model_told.after, store_told.after);
    }
    if (difference.empty()) {
      add(std::move(model), std::move(store), at, {of_model, of_store});
      return true;
    }
    result_.disagreement = Disagreement{run_to(model_, at, true), run_to(store_, at, false), difference};
    if (model_can) append(result_.disagreement->model, model_told);
    if (store_can) append(result_.disagreement->store, store_told);
    return false;
  }

  ToldRun run_to(const World& world, std::size_t at, bool is_model) const {
    explorer::Run run;
    for (; at != 0; at = pairs_[at].parent) {
      run.moves.push_back(is_model ? pairs_[at].moves.first : pairs_[at].moves.second);
    }
    std::reverse(run.moves.begin(), run.moves.end());
    return tell_run(world, run);
  }

  const World& model_;
  const World& store_;
  Counterparts counterparts_;
  std::vector<Pair> pairs_;
  std::unordered_map<std::string, std::size_t> known_;
  Conformity result_;
};

}  // namespace

Conformity conform(const World& model, const World& store, std::uint64_t max_pairs) {
  return Comparing(model, store).run(max_pairs);
}

}  // namespace fencecheck
