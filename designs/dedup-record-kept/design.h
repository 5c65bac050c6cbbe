// The records of request ids are cleaned up once their owner has a successor: from then on its retry is stale anyway.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct DedupRecordKept {
  static constexpr std::string_view name = "dedup-record-kept";
  static constexpr std::string_view summary = "the records of request ids are kept until a newer token has come";

  struct Table {
    struct Record {
      static constexpr std::string_view field_names[] = {"id", "under token"};
      RequestId id;
      Token token;
    };
    struct Row {
      static constexpr std::string_view field_names[] = {"highest",       "value", "mails",        "id 1",
                                                         "under token 1", "id 2",  "under token 2"};
      Token highest;
      Value value;
      Effect mails;
      std::array<Record, 2> records;

      bool knows(RequestId id) const { return records[0].id == id || records[1].id == id; }
      void remember(RequestId id, Token token) { (records[0].id.exists() ? records[1] : records[0]) = {id, token}; }
    };

    static constexpr auto write =
        step("compare, look up, apply and record", [](Row& row, const Request& r, Guards& check) {
          if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
          if (!check("the id is new", !row.knows(r.id))) return Reply::accepted;
          row.highest = r.token;
          row.value = r.value;
          row.mails.add();
          row.remember(r.id, r.token);
          return Reply::accepted;
        });
    static constexpr auto clean_up = step("records of ids of older owners are cleaned up", [](Row& row) {
      for (Record& record : row.records) {
        if (record.token < row.highest) record = {};
      }
      return Reply::next;
    });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table>;
  using OwnProperties = properties<HonestAnswers>;
  static constexpr auto faults = declared(cleanup(at(store<0>, Table::clean_up)));
  static constexpr auto worker = program(acquire, retry(write<0>), finally(release));
};

}  // namespace fencecheck::designs
