// The field types: what a row of a store, the record of a lock service or a worker's memory may consist of.
//
// Each is one byte, and allows only what its real counterpart allows. That is what makes the checker's answers sound
// without a word from the author of a design: a state made of these can be hashed, packed, printed, and its workers
// renamed, and a design cannot look at anything that a real store could not see.
//
// A field says how many bits it needs within given bounds (`bits`), and what number it stands for (`number`).
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <type_traits>

#include <fencecheck/model/bounds.h>

namespace fencecheck {

namespace detail {
template <class>
inline constexpr bool always_false = false;
}

/// For the world and its reports alone: the number that a field stands for, which a design has no way to see where it
/// would tell more than the real thing does.
struct FieldNumber {
  template <class Field>
  static constexpr int of(const Field& field) {
    return field.number();
  }
};

/// What a lock service hands out and a store may compare: larger means granted later, as long as the issuer never goes
/// back. The zero token is older than every issued one.
/// (M. Kleppmann, "How to do distributed locking", 2016, calls it a fencing token; Chubby, OSDI 2006, a sequencer.)
class Token {
 public:
  constexpr Token() = default;
  constexpr explicit Token(int number) : number_(static_cast<std::uint8_t>(number)) {}

  constexpr Token next() const { return Token(number_ + 1); }
  constexpr bool exists() const { return number_ != 0; }
  friend constexpr auto operator<=>(Token, Token) = default;

  // A forged token is one above all that the issuer can hand out.
  static constexpr std::uint8_t bits(const Bounds& b) { return bits_for(b.leases + b.forged_tokens); }
  constexpr int number() const { return number_; }

 private:
  std::uint8_t number_ = 0;
};

/// A UUID, a random value, a lease id, the handle of a grant: it can be told apart from others and nothing else. It has
/// no order, so it cannot pass for a token: `<` between two of them does not compile.
class Unique {
 public:
  constexpr Unique() = default;
  constexpr explicit Unique(int number) : number_(static_cast<std::uint8_t>(number)) {}

  constexpr bool exists() const { return number_ != 0; }
  friend constexpr bool operator==(Unique, Unique) = default;

  static constexpr std::uint8_t bits(const Bounds& b) { return bits_for(b.leases); }

 private:
  friend struct FieldNumber;
  constexpr int number() const { return number_; }
  std::uint8_t number_ = 0;
};

template <class T>
  requires std::is_same_v<T, Unique>
constexpr std::strong_ordering operator<=>(T, T) {
  static_assert(detail::always_false<T>,
                "fencecheck: a Unique can be compared for equality only. A UUID, a lock key or a lease id has no "
                "order, so no store can tell from it who is newer; compare a Token instead");
  return std::strong_ordering::equal;
}

/// The payload of a write. A design may copy it and nothing else; the world sees in it whose work it is, and whether it
/// was stored in this very step (a fresh value), so that a write of the same value again is seen too.
class Value {
 public:
  constexpr Value() = default;

  static constexpr std::uint8_t bits(const Bounds& b) { return bits_for(b.leases); }

 private:
  friend struct FieldNumber;
  constexpr int number() const { return content_ & ~fresh_bit; }
  friend struct ValueAccess;
  static constexpr std::uint8_t fresh_bit = 0x80;
  std::uint8_t content_ = 0;
};

/// For the world alone: makes and reads values.
struct ValueAccess {
  static constexpr Value fresh(int author) {
    Value value;
    value.content_ = static_cast<std::uint8_t>(author | Value::fresh_bit);
    return value;
  }
  static constexpr bool is_fresh(Value value) { return (value.content_ & Value::fresh_bit) != 0; }
  static constexpr void settle(Value& value) { value.content_ &= static_cast<std::uint8_t>(~Value::fresh_bit); }
};

/// Something that adds up: mails sent, money moved. Doing it twice shows. Counts to 3 and stays there.
class Effect {
 public:
  constexpr Effect() = default;
  constexpr void add() { times_ = static_cast<std::uint8_t>(std::min(number() + 1, most) | fresh_bit); }
  friend constexpr bool operator==(Effect a, Effect b) { return a.number() == b.number(); }

  static constexpr std::uint8_t bits(const Bounds&) { return bits_for(most); }
  constexpr int number() const { return times_ & ~fresh_bit; }

 private:
  friend struct EffectAccess;
  static constexpr int most = 3;
  static constexpr std::uint8_t fresh_bit = 0x80;
  std::uint8_t times_ = 0;
};

/// For the world alone: whether an effect was added to in this very step.
struct EffectAccess {
  static constexpr bool is_fresh(Effect effect) { return (effect.times_ & Effect::fresh_bit) != 0; }
  static constexpr void settle(Effect& effect) { effect.times_ &= static_cast<std::uint8_t>(~Effect::fresh_bit); }
};

namespace detail {
// Numbers that can only be told apart, each kind a type of its own so that none passes for another. A number is made of
// the lease under which an operation began (0 where the operation is the same for all leases), which of that owner's
// operations it is, and whether it is another name for the same operation.
template <class Kind>
class Name {
 public:
  constexpr Name() = default;
  constexpr explicit Name(int number) : number_(static_cast<std::uint8_t>(number)) {}
  constexpr bool exists() const { return number_ != 0; }
  friend constexpr bool operator==(Name, Name) = default;

  static constexpr std::uint8_t bits(const Bounds&) { return 7; }

 private:
  friend struct fencecheck::FieldNumber;
  constexpr int number() const { return number_; }
  std::uint8_t number_ = 0;
};
}  // namespace detail

/// One logical operation, the same for every attempt at it.
using RequestId = detail::Name<struct RequestIdKind>;

/// What a request with an id asked for: the same id with another fingerprint is a different request.
using Fingerprint = detail::Name<struct FingerprintKind>;

/// A version inside one ownership (a row's version column). Counts 0 … 15 and around.
class Version {
 public:
  constexpr Version() = default;
  constexpr Version next() const {
    Version result;
    result.number_ = (number_ + 1) & 15;
    return result;
  }
  friend constexpr bool operator==(Version, Version) = default;

  static constexpr std::uint8_t bits(const Bounds&) { return 4; }
  constexpr int number() const { return number_; }

 private:
  std::uint8_t number_ = 0;
};

/// The name that a worker gives itself, such as a host name; a worker that starts anew keeps it. Two states that
/// differ only in which worker has which name are the same up to symmetry, so rows that hold an Owner are renamed with
/// the workers.
class Owner {
 public:
  constexpr Owner() = default;
  constexpr bool exists() const { return worker_ != 0; }
  friend constexpr bool operator==(Owner, Owner) = default;

  static constexpr std::uint8_t bits(const Bounds& b) { return bits_for(b.workers); }

 private:
  friend struct FieldNumber;
  constexpr int number() const { return worker_; }
  friend struct OwnerAccess;
  std::uint8_t worker_ = 0;
};

/// For the world alone: which worker an Owner names.
struct OwnerAccess {
  static constexpr Owner of(int worker) {
    Owner owner;
    owner.worker_ = static_cast<std::uint8_t>(worker + 1);
    return owner;
  }
};

/// A deadline on somebody's clock, as the ticks that are left until then. 0 … 15.
class Ticks {
 public:
  constexpr Ticks() = default;
  constexpr explicit Ticks(int left) : left_(static_cast<std::uint8_t>(left)) {}
  constexpr void count_down() { left_ = static_cast<std::uint8_t>(std::max(left_ - 1, 0)); }
  friend constexpr auto operator<=>(Ticks, Ticks) = default;

  static constexpr std::uint8_t bits(const Bounds&) { return 4; }
  constexpr int number() const { return left_; }

 private:
  std::uint8_t left_ = 0;
};

/// Yes or no.
class Flag {
 public:
  constexpr Flag() = default;
  constexpr Flag(bool set) : set_(set ? 1 : 0) {}        // NOLINT(google-explicit-constructor): a bool is what it is
  constexpr operator bool() const { return set_ != 0; }  // NOLINT(google-explicit-constructor)

  static constexpr std::uint8_t bits(const Bounds&) { return 1; }
  constexpr int number() const { return set_; }

 private:
  std::uint8_t set_ = 0;
};

/// A small number 0 … Most. Counting past either end stays there.
template <int Most>
class Count {
  static_assert(Most >= 1 && Most <= 255, "fencecheck: a Count<N> counts to an N of 1 to 255");

 public:
  constexpr Count() = default;
  constexpr explicit Count(int number) : number_(static_cast<std::uint8_t>(std::clamp(number, 0, Most))) {}
  constexpr void add() { *this = Count(number_ + 1); }
  constexpr void subtract() { *this = Count(number_ - 1); }
  friend constexpr auto operator<=>(Count, Count) = default;

  static constexpr std::uint8_t bits(const Bounds&) { return bits_for(Most); }
  constexpr int number() const { return number_; }

 private:
  std::uint8_t number_ = 0;
};

/// The truth that decides who is newer: the number of a grant, in the order of grants over the whole run. Tokens may
/// repeat or go back after a restore, leases never do. Only the world and the properties see it; a design never does.
class Lease {
 public:
  constexpr Lease() = default;
  constexpr explicit Lease(int number) : number_(static_cast<std::uint8_t>(number)) {}
  constexpr bool exists() const { return number_ != 0; }
  friend constexpr auto operator<=>(Lease, Lease) = default;

  static constexpr std::uint8_t bits(const Bounds& b) { return bits_for(b.leases); }
  constexpr int number() const { return number_; }

 private:
  std::uint8_t number_ = 0;
};

}  // namespace fencecheck
