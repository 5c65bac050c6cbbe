// An order is carried out, and a mail goes out beside the transaction, before it. Who comes next cannot know that it
// went.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct MailDirectly {
  static constexpr std::string_view name = "mail-directly";
  static constexpr std::string_view summary = "a mail is sent before the order is marked as done";

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

  static constexpr auto worker = program(acquire, at(store<0>, Orders::ask), at(store<1>, Mails::send),
                                         at(store<0>, Orders::mark), finally(release));
};

}  // namespace fencecheck::designs
