// Each field type allows what its real counterpart allows, and says how many bits it needs.
#include <fencecheck/model/types.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <fencecheck/model/fields.h>

namespace fencecheck::tests {
namespace {

constexpr Bounds small{.workers = 2, .leases = 3};
constexpr Bounds large{.workers = 6, .leases = 15};

template <class T>
concept EqualityComparable = requires(T a, T b) { a == b; };
template <class T>
concept MakesFromInt = requires { T(1); };
template <class T>
concept HasNext = requires(T a) { a.next(); };

TEST(Types, EveryFieldIsOneByteAndAPlainValue) {
  static_assert(FieldType<Token> && FieldType<Unique> && FieldType<Value> && FieldType<Effect> &&
                FieldType<RequestId> && FieldType<Fingerprint> && FieldType<Version> && FieldType<Owner> &&
                FieldType<Ticks> && FieldType<Flag> && FieldType<Count<7>> && FieldType<Lease>);
  static_assert(!FieldType<int> && !FieldType<char> && !FieldType<bool> && !FieldType<std::string>);
}

TEST(Types, ThatWhichNumbersGrantsNeedsBitsForTheLeases) {
  for (const auto bits : {Token::bits, Unique::bits, Value::bits, Lease::bits}) {
    EXPECT_EQ(bits({.leases = 1}), 1);
    EXPECT_EQ(bits({.leases = 3}), 2);
    EXPECT_EQ(bits({.leases = 4}), 3);
    EXPECT_EQ(bits({.leases = 7}), 3);
    EXPECT_EQ(bits({.leases = 8}), 4);
    EXPECT_EQ(bits({.leases = 15}), 4);
  }
}

TEST(Types, AnOwnerNeedsBitsForTheWorkersAndNobody) {
  EXPECT_EQ(Owner::bits({.workers = 1}), 1);
  EXPECT_EQ(Owner::bits({.workers = 3}), 2);
  EXPECT_EQ(Owner::bits({.workers = 4}), 3);
  EXPECT_EQ(Owner::bits({.workers = 6}), 3);
}

TEST(Types, TheOthersNeedTheSameBitsWithinAnyBounds) {
  for (const Bounds& bounds : {small, large}) {
    EXPECT_EQ(Effect::bits(bounds), 2);
    EXPECT_EQ(RequestId::bits(bounds), 7);
    EXPECT_EQ(Fingerprint::bits(bounds), 7);
    EXPECT_EQ(Version::bits(bounds), 4);
    EXPECT_EQ(Ticks::bits(bounds), 4);
    EXPECT_EQ(Flag::bits(bounds), 1);
    EXPECT_EQ(Count<1>::bits(bounds), 1);
    EXPECT_EQ(Count<5>::bits(bounds), 3);
    EXPECT_EQ(Count<255>::bits(bounds), 8);
  }
}

TEST(Types, BitsForIsTheLengthOfTheLargestNumber) {
  constexpr std::array expected{0, 1, 2, 2, 3, 3, 3, 3, 4};
  for (int n = 0; n <= 8; ++n) EXPECT_EQ(bits_for(n), expected.at(static_cast<std::size_t>(n))) << n;
  EXPECT_EQ(bits_for(255), 8);
}

TEST(Types, TokensAreOrderedAndTheZeroTokenIsOlderThanAll) {
  EXPECT_FALSE(Token().exists());
  EXPECT_EQ(Token().next(), Token(1));
  EXPECT_EQ(Token(6).next().number(), 7);
  EXPECT_TRUE(Token() < Token(1));
  EXPECT_TRUE(Token(9) > Token(8));
  EXPECT_TRUE(Token(9) >= Token(9));
  EXPECT_EQ(std::max(Token(3), Token(5)), Token(5));
}

TEST(Types, AUniqueIsToldApartAndNothingElse) {
  // That `<` between two of them does not compile, and says why, is tried in tests/compile_errors.
  EXPECT_FALSE(Unique().exists());
  EXPECT_TRUE(Unique(3).exists());
  EXPECT_EQ(Unique(3), Unique(3));
  EXPECT_NE(Unique(3), Unique(4));
  static_assert(!HasNext<Unique>);
}

TEST(Types, AValueCanOnlyBeCopied) {
  static_assert(!EqualityComparable<Value> && !MakesFromInt<Value> && !HasNext<Value>);
  const Value fresh = ValueAccess::fresh(5);
  Value copy;
  EXPECT_FALSE(ValueAccess::is_fresh(copy));
  EXPECT_EQ(field_number(copy), 0);
  copy = fresh;
  EXPECT_TRUE(ValueAccess::is_fresh(copy));
  EXPECT_EQ(field_number(copy), 5) << "being fresh does not show in its number";
  ValueAccess::settle(copy);
  EXPECT_FALSE(ValueAccess::is_fresh(copy));
  EXPECT_EQ(field_number(copy), 5);
}

TEST(Types, AnEffectCountsToThreeAndStaysThere) {
  Effect effect;
  for (const int wanted : {1, 2, 3, 3, 3}) {
    effect.add();
    EXPECT_EQ(effect.number(), wanted);
  }
  EXPECT_NE(effect, Effect());
}

TEST(Types, NamesOfOneKindDoNotPassForAnother) {
  static_assert(!std::is_convertible_v<RequestId, Fingerprint> && !std::is_same_v<RequestId, Fingerprint>);
  EXPECT_EQ(RequestId(4), RequestId(4));
  EXPECT_NE(Fingerprint(4), Fingerprint(5));
  EXPECT_FALSE(RequestId().exists());
  EXPECT_EQ(field_number(Fingerprint(15)), 15);
}

TEST(Types, AVersionCountsAround) {
  Version version;
  for (int wanted = 1; wanted <= 15; ++wanted) {
    version = version.next();
    EXPECT_EQ(version.number(), wanted);
  }
  EXPECT_EQ(version.next(), Version());
}

TEST(Types, AnOwnerIsMadeByTheWorldAloneAndNamesAWorker) {
  static_assert(!MakesFromInt<Owner>);
  EXPECT_FALSE(Owner().exists());
  EXPECT_EQ(field_number(OwnerAccess::of(0)), 1) << "0 is nobody";
  EXPECT_NE(OwnerAccess::of(0), OwnerAccess::of(1));
}

TEST(Types, TicksAreCountedDownToZero) {
  Ticks ticks(2);
  EXPECT_TRUE(ticks > Ticks(1));
  for (const int wanted : {1, 0, 0}) {
    ticks.count_down();
    EXPECT_EQ(ticks.number(), wanted);
  }
}

TEST(Types, AFlagIsABool) {
  Flag flag;
  EXPECT_FALSE(flag);
  flag = true;
  EXPECT_TRUE(flag);
  EXPECT_EQ(flag.number(), 1);
}

TEST(Types, ACountStaysBetweenZeroAndItsMost) {
  Count<2> count;
  count.subtract();
  EXPECT_EQ(count.number(), 0);
  for (const int wanted : {1, 2, 2}) {
    count.add();
    EXPECT_EQ(count.number(), wanted);
  }
  EXPECT_EQ(Count<2>(7), Count<2>(2));
  EXPECT_EQ(Count<2>(-1), Count<2>(0));
  EXPECT_TRUE(Count<2>(1) < Count<2>(2));
}

// --- structs of them
// --------------------------------------------------------------------------------------------------

enum class Phase : std::uint8_t { idle, busy, done, last = done };

struct Inner {
  Flag flag;
  Count<4> count;
};
struct Row {
  Token token;
  Inner inner;
  std::array<Unique, 2> handles;
  Phase phase = Phase::idle;
};
struct NamedRow {
  static constexpr std::string_view field_names[] = {"highest", "payload"};
  Token token;
  Value value;
};
struct Empty {};

TEST(Fields, AreFoundInNestedStructsArraysAndEnumsInTheOrderOfDeclaration) {
  static_assert(field_count<Row>() == 6);
  static_assert(field_count<Empty>() == 0);
  static_assert(sizeof(Row) == 6);
  Row row{Token(1), {Flag(true), Count<4>(2)}, {Unique(3), Unique(4)}, Phase::done};
  std::vector<int> numbers;
  std::vector<int> bits;
  for_each_field(row, [&](auto& field) {
    numbers.push_back(field_number(field));
    bits.push_back(field_bits<std::remove_cvref_t<decltype(field)>>(large));
  });
  EXPECT_EQ(numbers, (std::vector{1, 1, 2, 3, 4, 2}));
  EXPECT_EQ(bits, (std::vector{4, 1, 3, 4, 4, 2}));
}

TEST(Fields, CanBeChangedOnTheWay) {
  Row row;
  for_each_field(row, [](auto& field) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, Unique>) field = Unique(7);
  });
  EXPECT_EQ(row.handles[0], Unique(7));
  EXPECT_EQ(row.handles[1], Unique(7));
  EXPECT_EQ(row.token, Token());
}

TEST(Fields, AreCalledByTheirNamesWhereTheStructGivesThemElseByTheirTypes) {
  EXPECT_EQ((field_name<NamedRow, Token>(0)), "highest");
  EXPECT_EQ((field_name<NamedRow, Value>(1)), "payload");
  EXPECT_EQ((field_name<Row, Token>(0)), "token");
  EXPECT_EQ((field_name<Row, Unique>(3)), "handle");
  EXPECT_EQ((field_name<Row, Phase>(5)), "field");
}

TEST(Fields, OfAnEnumAreToldByTheirEnumerators) {
  EXPECT_EQ(field_word(Phase::idle), "idle");
  EXPECT_EQ(field_word(Phase::done), "done");
  EXPECT_EQ(field_word(Token(1)), "");
}

}  // namespace
}  // namespace fencecheck::tests
