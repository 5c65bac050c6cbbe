// A property of one's own takes a few lines, and is judged like the library's.
#include <fencecheck/model/property.h>

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <fencecheck/fencecheck.h>
#include <fencecheck/properties/design_of.h>

#include "../support/checks.h"
#include "../support/play.h"

namespace fencecheck::tests {
namespace {

using explorer::Search;
using explorer::Targets;

constexpr Targets violated(std::size_t property) { return Targets{1} << violated_target(property); }
constexpr Targets handled(std::size_t property) { return Targets{1} << handled_target(property); }

// --- properties of a user's
// ---------------------------------------------------------------------------------------------

/// No store is written more than twice: with a ledger for each store.
struct WrittenAtMostTwice {
  static constexpr PropertyInfo info{.name = "written-at-most-twice", .claim = "No store is written three times."};
  struct StoreLedger {
    Count<2> writes;
  };
  static Judgement at_store(const StoreVisit& visit, StoreLedger& ledger) {
    if (!visit.wrote) return Judgement::nothing;
    if (ledger.writes == Count<2>(2)) return Judgement::violated;
    ledger.writes.add();
    return ledger.writes == Count<2>(2) ? Judgement::handled : Judgement::nothing;
  }
};

/// The lock is granted at most twice: with one ledger for the world.
struct GrantedAtMostTwice {
  static constexpr PropertyInfo info{.name = "granted-at-most-twice", .claim = "There are no three grants."};
  struct Ledger {
    Count<2> grants;
  };
  static Judgement at_issuer(const IssuerVisit& visit, Ledger& ledger) {
    if (!visit.granted) return Judgement::nothing;
    if (ledger.grants == Count<2>(2)) return Judgement::violated;
    ledger.grants.add();
    return Judgement::handled;
  }
};

/// Nobody is turned away: without any ledger, at both kinds of component.
struct NobodyIsTurnedAway {
  static constexpr PropertyInfo info{.name = "nobody-is-turned-away", .claim = "No request is refused."};
  static Judgement at_store(const StoreVisit& visit) {
    return visit.turned_away() ? Judgement::violated : Judgement::nothing;
  }
  static Judgement at_issuer(const IssuerVisit& visit) {
    return visit.reply == Reply::refused ? Judgement::violated : Judgement::nothing;
  }
};

/// About something that the design below does not have.
struct NeedsAFlag {
  static constexpr PropertyInfo info{.name = "needs-a-flag"};
  template <class D>
  static constexpr bool applies() {
    return requires { &D::Table::Row::flag; };
  }
  struct Ledger {
    Count<200> steps;
  };
  static Judgement at_issuer(const IssuerVisit&, Ledger& ledger) {
    ledger.steps.add();
    return Judgement::violated;
  }
};

struct Fenced {
  static constexpr std::string_view name = "fenced";
  struct Table {
    struct Row {
      Token highest;
      Value value;
    };
    static constexpr auto write = step("write", [](Row& row, const Request& r, Guards& check) {
      if (!check("not older", r.token >= row.highest)) return Reply::stale;
      row = {r.token, r.value};
      return Reply::accepted;
    });
  };
  using Issuer = CountingIssuer;
  using Stores = stores<Table, Table>;
  using OwnProperties = properties<WrittenAtMostTwice, GrantedAtMostTwice, NobodyIsTurnedAway>;
  static constexpr auto worker = program(acquire, write<0>, write<1>, finally(release));
};
constexpr std::size_t own = StandardPropertyList::count;  // where the design's own properties begin

TEST(OwnProperties, ComeAfterThoseOfTheLibrary) {
  const auto design = make_design<Fenced>();
  std::string names;
  for (const PropertyText& property : design->text().properties) {
    if (property.applies) names += std::string(property.info.name) + " ";
  }
  EXPECT_EQ(names,
            "no-stale-write no-foreign-release successor-fences-at-issue newest-never-rejected tokens-increase "
            "written-at-most-twice granted-at-most-twice nobody-is-turned-away ");
}

TEST(OwnProperties, AreJudgedWithTheirOwnLedgers) {
  const auto world = make_design<Fenced>()->world({.workers = 2, .leases = 4}, {});
  Play play(*world);
  const auto life = [&](int worker) {
    Targets targets = 0;
    for (const char* action : {"acquire", "write", "write", "release"}) targets |= play.step(worker, action).targets;
    return targets >> own & 0x0000'0007'0000'0007;
  };
  EXPECT_EQ(life(0), handled(1));
  EXPECT_EQ(life(1), handled(0) | handled(1));
  EXPECT_EQ(life(0), violated(0) | violated(1));
}

TEST(OwnProperties, HaveOneLedgerForEachStore) {
  const auto world = make_design<Fenced>()->world({.workers = 3, .leases = 3}, {});
  Play play(*world);
  for (const int worker : {0, 1}) {
    play.step(worker, "acquire");
    play.step(worker, "write");
    play.fault(ActionKind::expiry, 0);
  }
  // Store 0 is written twice, store 1 not at all.
  EXPECT_EQ(play.step(1, "write").targets & (violated(own) | handled(own)), 0U);
  play.step(2, "acquire");
  EXPECT_EQ(play.step(2, "write").targets & (violated(own) | handled(own)), violated(own));
  EXPECT_EQ(play.step(2, "write").targets & (violated(own) | handled(own)), handled(own));
}

TEST(OwnProperties, AreFoundByTheSearchAtTheLengthOfTheShortestRun) {
  const auto world = make_design<Fenced>()->world({.workers = 2, .leases = 3}, {});
  Search search(*world, options(1));
  const explorer::SearchResult& result = search.run();
  const auto length = [&](int target) { return result.first_met[static_cast<std::size_t>(target)]; };
  EXPECT_EQ(length(violated_target(0)), std::nullopt);
  EXPECT_EQ(length(violated_target(own)), 9)
      << "grant, write, expiry, grant, write, the rest of the second one's program in two steps, grant, write";
  EXPECT_EQ(length(violated_target(own + 1)), 7) << "a whole program in four steps, grant, expiry, grant";
  EXPECT_EQ(length(violated_target(own + 2)), 5) << "grant, expiry, grant, write by the new one, write by the old one";
  EXPECT_EQ(length(handled_target(own + 1)), 1);
  EXPECT_TRUE(runs_replay(*world, search));
  EXPECT_TRUE(symmetry_agrees_with_full_search(*world, 2));
}

TEST(OwnProperties, AreThereOnlyForTheDesignsThatNameThem) {
  const WorldOf<Fenced, FencingProperties> without({}, {});
  const WorldOf<Fenced, PropertiesOf<Fenced>> with({}, {});
  EXPECT_EQ(key_bits(with), key_bits(without) + 2 + 2 * 2) << "two bits for grants, two for the writes of each store";
}

TEST(Properties, ThatDoNotApplyAreNotJudgedAndTakeNoBits) {
  using With = WorldOf<Fenced, properties<NoStaleWrite, NeedsAFlag>>;
  const WorldOf<Fenced, properties<NoStaleWrite>> without({}, {});
  const With with({}, {});
  EXPECT_TRUE(With::property_texts().at(0).applies);
  EXPECT_FALSE(With::property_texts().at(1).applies);
  EXPECT_EQ(key_bits(with), key_bits(without));
  Play play(with);
  EXPECT_EQ(play.step(0, "acquire").targets, 0U);
}

// --- what each of the library's properties needs
// ------------------------------------------------------------------------

// A lock that is known by a random value, in front of a store without data.
struct HandleLock {
  static constexpr std::string_view name = "handle-lock";
  struct Issuer {
    static constexpr bool hands_out_tokens = false;
    struct Record {
      Unique holder;
    };
    struct Backup {};
    static constexpr Unique holder(const Record& record) { return record.holder; }
    static constexpr void expire(Record& record) { record.holder = Unique{}; }
    static constexpr Backup backup(const Record&) { return {}; }
    static constexpr auto restore = step("restore", [](Record&, const Backup&) { return Reply::accepted; });
    static constexpr auto acquire = step("acquire", [](Record& record, Grant& grant) {
      if (record.holder.exists()) return Reply::wait;
      record.holder = grant.handle;
      return Reply::granted;
    });
  };
  struct Store {
    struct Row {
      Flag touched;
    };
    static constexpr auto write = step("touch", [](Row& row) {
      row.touched = true;
      return Reply::accepted;
    });
  };
  using Stores = stores<Store>;
  static constexpr auto worker = program(acquire, write<0>);
};

TEST(Properties, ApplyOnlyToDesignsThatHaveWhatTheyJudge) {
  const auto design = make_design<HandleLock>();
  for (const PropertyText& property : design->text().properties) {
    EXPECT_FALSE(property.applies) << property.info.name << " needs " << property.info.needs;
  }
  EXPECT_EQ(design->text().properties.size(), 18U);
  const auto world = design->world({.workers = 2, .leases = 3}, {});
  Search search(*world, options(1));
  EXPECT_EQ(met(search.run()), 0U);
  // The holder, the flag, the newest lease; each worker: two places, token, lease.
  EXPECT_EQ(key_bits(*world), 2 + 1 + 2 + 2 * (1 + 2 + 2));
}

}  // namespace
}  // namespace fencecheck::tests
