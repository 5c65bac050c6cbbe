// A request to a ZooKeeper, from the text of a statement. The language is told in zookeeper.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fencecheck/engines/engine.h>
#include <fencecheck/engines/request_pieces.h>

namespace fencecheck::engines::zookeeper {

constexpr int any_version = -1;

struct Operation {
  enum class Verb : std::uint8_t { create, set, get, remove, check, lowest, count, expire };

  Verb verb = Verb::get;
  std::string path;
  std::string value = {};  ///< what is created or set
  bool ephemeral = false;
  bool sequential = false;
  int version = any_version;  ///< that the node must have
};

struct Request {
  bool apart = false;     ///< over a session of its own
  bool is_multi = false;  ///< all or nothing; otherwise there is one operation
  std::vector<Operation> operations = {};
};

/// Throws Malformed.
Request request_of(const Statement& statement);

}  // namespace fencecheck::engines::zookeeper
