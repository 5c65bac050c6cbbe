// The transaction that carries out an order puts the mail into an outbox, from which a relay sends it. The mail server
// does not know a mail that it has had before.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct OutboxWithoutKey {
  static constexpr std::string_view name = "outbox-without-key";
  static constexpr std::string_view summary = "mails go through an outbox, and their receiver forgets what it had";

  static constexpr bool one_operation = true;  // one order, whoever holds the lock

  struct Orders {
    static constexpr std::string_view name = "orders";
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "done", "mail in the outbox"};
      Token highest;
      Flag done;
      Flag outbox;
    };

    static constexpr auto mark =
        step("compare, mark the order as done, and put a mail into the outbox",
             [](Row& row, const Request& r, Guards& check) {
               if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
               if (!check("the order is not done", !row.done)) return Reply::refused;
               row.highest = r.token;
               row.done = true;
               row.outbox = true;
               return Reply::accepted;
             });
    static constexpr auto look =
        step("look into the outbox", [](const Row& row) { return row.outbox ? Reply::next : Reply::wait; });
    static constexpr auto cross_out = step("cross the mail out", [](Row& row) {
      row.outbox = false;
      return Reply::next;
    });
  };
  struct Mails {
    static constexpr std::string_view name = "mail server";
    struct Row {
      static constexpr std::string_view field_names[] = {"sent"};
      Effect sent;
    };

    static constexpr auto send = step("send the mail", [](Row& row) {
      row.sent.add();
      return Reply::accepted;
    });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Orders, Mails>;
  static bool settled(const Orders::Row& order, const Mails::Row& mails) {
    return !order.done || mails.sent.number() == 1;
  }

  static constexpr auto worker = program(acquire, at(store<0>, Orders::mark), finally(release));
  static constexpr auto others = programs(
      named("relay", program(at(store<0>, Orders::look), at(store<1>, Mails::send), at(store<0>, Orders::cross_out))));
};

}  // namespace fencecheck::designs
