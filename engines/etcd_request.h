// A request to an etcd, from the text of a statement. The language is told in etcd.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fencecheck/engines/engine.h>
#include <fencecheck/engines/request_pieces.h>

namespace fencecheck::engines::etcd {

struct Operation {
  enum class Verb : std::uint8_t { put, get, del };

  Verb verb = Verb::get;
  std::string key;
  std::string value = {};  ///< what is put
};

struct Condition {
  enum class Target : std::uint8_t { create_revision, mod_revision, version, value };
  enum class Relation : std::uint8_t { equal, not_equal, less, greater };

  Target target = Target::value;
  std::string key;
  Relation relation = Relation::equal;
  std::string value = {};   ///< what a value is compared with
  std::int64_t number = 0;  ///< what anything else is compared with
};

struct Request {
  std::optional<std::int64_t> advance_to = {};  ///< a revision; nothing else is to be done then
  bool is_txn = false;
  std::vector<Condition> conditions = {};
  std::vector<Operation> then = {};  ///< of a request that is no txn, its only operation
  std::vector<Operation> otherwise = {};
};

/// Throws Malformed.
Request request_of(const Statement& statement);

}  // namespace fencecheck::engines::etcd
