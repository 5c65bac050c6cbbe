// Mistakes in a design that only a run can show: each ends with a message, none with a wrong verdict.
#include <gtest/gtest.h>

#include <string>

#include <fencecheck/fencecheck.h>
#include <fencecheck/properties/design_of.h>
#include <fencecheck/report/verdict.h>

#include "../support/issuer_by_two.h"

namespace fencecheck::tests {
namespace {

struct Plain {
  struct Store {
    struct Row {
      Token highest;
      Value value;
    };
    static constexpr auto write = step("write", [](Row& row, const Request& r) {
      row = {r.token, r.value};
      return Reply::accepted;
    });
  };
  using Issuer = CountingIssuer;
  using Record = Issuer::Record;
  using Stores = stores<Store>;
};

/// What a check of the design says is wrong with it.
template <class Design>
std::string complaint(const SwitchValues& switches = {}) {
  const DesignOf<Design> design;
  CheckOptions options;
  options.switches = switches;
  try {
    check(design, options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

struct GrantsWithoutGrant : Plain {
  static constexpr std::string_view name = "grants-without-grant";
  static constexpr auto take = at(issuer, step("take", [](Record&) { return Reply::granted; }));
  static constexpr auto worker = program(take, write<0>);
};

TEST(Mistakes, AStepThatAnswersGrantedMustTakeAGrant) {
  EXPECT_EQ(complaint<GrantsWithoutGrant>(),
            "the step \"take\" contradicts itself: it answers `granted`, and takes no Grant&");
}

struct KeepsTheGrantToItself : Plain {
  static constexpr std::string_view name = "keeps-the-grant-to-itself";
  static constexpr auto take = at(issuer, step("take", [](Record& record, Grant& grant) {
                                    if (record.holder.exists()) return Reply::wait;
                                    record.holder = grant.handle;
                                    return Reply::accepted;
                                  }));
  static constexpr auto worker = program(take, write<0>);
};

TEST(Mistakes, AStepThatStoresTheHandleMustAnswerGranted) {
  EXPECT_EQ(complaint<KeepsTheGrantToItself>(),
            "the step \"take\" contradicts itself: it must answer `granted` exactly when it has stored the grant's "
            "handle");
}

struct CountsByTwo : Plain {
  static constexpr std::string_view name = "counts-by-two";
  using Issuer = IssuerByTwo;
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

TEST(Mistakes, AFieldThatOutgrowsItsBitsEndsTheCheckInsteadOfLosingStates) {
  EXPECT_EQ(complaint<CountsByTwo>().rfind("counts-by-two: a field of the design came to hold a number", 0), 0U);
}

struct Conditional : Plain {
  static constexpr std::string_view name = "conditional";
  struct Switches {
    int outer = 0;
    int inner = 0;
  };
  static constexpr auto switches = std::tuple(number("outer", "the outer condition", &Switches::outer, 0, {"0", "1"}),
                                              number("inner", "the inner condition", &Switches::inner, 0, {"0", "1"}));
  static constexpr auto worker = program(acquire,
                                         when([](const Switches& s) { return s.outer == 1; },
                                              when([](const Switches& s) { return s.inner == 1; }, write<0>)),
                                         finally(release));
};

TEST(Mistakes, AConditionInsideAConditionNeedsBoth) {
  const DesignOf<Conditional> design;
  const auto writes = [&](const char* outer, const char* inner) {
    const auto world = design.world({}, {{"outer", outer}, {"inner", inner}});
    return world->actions().at(1).present;
  };
  EXPECT_FALSE(writes("0", "0"));
  EXPECT_FALSE(writes("0", "1"));
  EXPECT_FALSE(writes("1", "0"));
  EXPECT_TRUE(writes("1", "1"));
}

}  // namespace
}  // namespace fencecheck::tests
