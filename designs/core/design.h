// The smallest world of fencing, with switches: every variant whose exact numbers are known (tests/golden/core.tsv).
//
// One worker's life: acquire; at each store in turn check (or not) and write; release; start anew.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct Core {
  static constexpr std::string_view name = "core";
  static constexpr std::string_view summary = "the smallest world of fencing, with a switch for each decision";

  enum class Check : std::uint8_t { none, lease, separate, atomic, last = atomic };
  enum class Equal : std::uint8_t { accept, reject, last = reject };
  enum class Release : std::uint8_t { name, compare, last = compare };
  enum class Register : std::uint8_t { no, yes, last = yes };

  struct Switches {
    int stores = 1;
    Check check = Check::atomic;
    Equal equal = Equal::accept;
    Release release = Release::compare;
    Register registering = Register::no;
  };
  static constexpr auto switches = std::tuple(
      number("stores", "how many stores a worker writes, one after another", &Switches::stores, 1,
             {"1", "2", "3", "4"}),
      choice("check",
             "how a store decides on a write: not at all; by asking the lock service in a step before; by "
             "comparing tokens in a step before; by comparing in the same step",
             &Switches::check, {"none", "lease", "separate", "atomic"}),
      choice("equal", "what becomes of a token equal to the store's highest", &Switches::equal, {"accept", "reject"}),
      choice("release", "whether release deletes by name or compares the lease", &Switches::release,
             {"name", "compare"}),
      choice("register", "whether granting a lease also raises every store's highest token", &Switches::registering,
             {"no", "yes"}));
  static int stores_in_use(const Switches& s) { return s.stores; }

  struct Store {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value"};
      Token highest;
      Value value;
    };
  };
  using Row = Store::Row;
  using Stores = stores<Store, Store, Store, Store>;

  using Issuer = CountingIssuer;
  using Record = Issuer::Record;

  using Properties = FencingProperties;

  static bool token_is_current(const Row& row, const Request& r, const Switches& s) {
    return s.equal == Equal::accept ? r.token >= row.highest : r.token > row.highest;
  }

  static constexpr auto ask_lock_service =
      step("ask the lock service", [](const Record& record, const Request& r, Guards& check) {
        return check("the caller still holds the lock", record.holder == r.handle) ? Reply::next : Reply::refused;
      });
  static constexpr auto compare =
      step("compare", [](const Row& row, const Request& r, Guards& check, const Switches& s) {
        return check("the token is not older than the highest seen", token_is_current(row, r, s)) ? Reply::next
                                                                                                  : Reply::stale;
      });
  static constexpr auto write_row = step("write", [](Row& row, const Request& r, const Switches& s) {
    if (s.check == Check::separate) row.highest = r.token;
    row.value = r.value;
    return Reply::accepted;
  });
  static constexpr auto compare_and_write =
      step("compare and write", [](Row& row, const Request& r, Guards& check, const Switches& s) {
        if (!check("the token is not older than the highest seen", token_is_current(row, r, s))) return Reply::stale;
        row = {r.token, r.value};
        return Reply::accepted;
      });

  static constexpr auto acquire_and_register = together(
      "acquire and register",
      [](Record& record, Row& a, Row& b, Row& c, Row& d, Grant& grant, const Switches& s) {
        const Reply reply = Issuer::acquire.action(record, grant);
        if (reply != Reply::granted) return reply;
        int store = 0;
        for (Row* row : {&a, &b, &c, &d}) {
          if (store++ < s.stores) row->highest = std::max(row->highest, grant.token);
        }
        return reply;
      },
      issuer, store<0>, store<1>, store<2>, store<3>);
  static constexpr auto delete_by_name = step("delete the lock by name", [](Record& record) {
    record.holder = Unique{};
    return Reply::accepted;
  });

  template <Check How, int S>
  static constexpr bool is_checked_so(const Switches& s) {
    return s.check == How && S < s.stores;
  }
  template <int S>
  static constexpr auto write_at =
      in_order(when(is_checked_so<Check::none, S>, at(store<S>, write_row)),
               when(is_checked_so<Check::lease, S>, steps(at(issuer, ask_lock_service), at(store<S>, write_row))),
               when(is_checked_so<Check::separate, S>, steps(at(store<S>, compare), at(store<S>, write_row))),
               when(is_checked_so<Check::atomic, S>, at(store<S>, compare_and_write)));

  static constexpr auto worker =
      program(when([](const Switches& s) { return s.registering == Register::no; }, acquire),
              when([](const Switches& s) { return s.registering == Register::yes; }, acquire_and_register), write_at<0>,
              write_at<1>, write_at<2>, write_at<3>,
              finally(when([](const Switches& s) { return s.release == Release::compare; }, release),
                      when([](const Switches& s) { return s.release == Release::name; }, at(issuer, delete_by_name))));
};

}  // namespace fencecheck::designs
