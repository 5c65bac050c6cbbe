// A payment beside the transaction, at a provider that knows no keys, and can be asked. Who comes next asks before he
// pays; what was paid twice all the same is found and refunded.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct QueryAndCompensate {
  static constexpr std::string_view name = "query-and-compensate";
  static constexpr std::string_view summary =
      "a payment is asked for before it is made, and what was too much is refunded";

  struct Memory {
    static constexpr std::string_view field_names[] = {"paid, as far as it knows"};
    Flag paid;
  };

  static constexpr bool one_operation = true;  // one order, whoever holds the lock

  struct Orders {
    static constexpr std::string_view name = "orders";
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "done"};
      Token highest;
      Flag done;
    };

    static constexpr auto ask = step("ask whether the order is done", [](const Row& row, Guards& check) {
      return check("the order is not done", !row.done) ? Reply::next : Reply::refused;
    });
    static constexpr auto mark =
        step("compare, and mark the order as done", [](Row& row, const Request& r, Guards& check) {
          if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
          row.highest = r.token;
          row.done = true;
          return Reply::accepted;
        });
  };
  struct Payments {
    static constexpr std::string_view name = "payment provider";
    struct Row {
      static constexpr std::string_view field_names[] = {"paid", "refunded"};
      Effect paid;
      Count<3> refunded;

      int stands() const { return paid.number() - refunded.number(); }
    };

    static constexpr auto query = step("ask whether it is paid", [](const Row& row, Memory& memory) {
      memory.paid = row.paid.number() > 0;
      return Reply::next;
    });
    static constexpr auto pay = step("pay, unless it was paid", [](Row& row, const Memory& memory, Guards& check) {
      if (check("nobody has paid, as far as the worker knows", !memory.paid)) row.paid.add();
      return Reply::next;
    });
    static constexpr auto refund = step("refund a payment too many", [](Row& row) {
      if (row.stands() <= 1) return Reply::wait;
      row.refunded.add();
      return Reply::next;
    });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Orders, Payments>;
  static bool settled(const Orders::Row& order, const Payments::Row& payments) {
    return !order.done || payments.stands() == 1;
  }

  static constexpr auto worker = program(acquire, at(store<0>, Orders::ask), at(store<1>, Payments::query),
                                         at(store<1>, Payments::pay), at(store<0>, Orders::mark), finally(release));
  static constexpr auto others = programs(named("accountant", program(at(store<1>, Payments::refund))));
};

}  // namespace fencecheck::designs
