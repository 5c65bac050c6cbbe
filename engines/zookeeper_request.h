// A request to a ZooKeeper, from the text of a statement. The language is told in zookeeper.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fencecheck/engines/engine.h>

namespace fencecheck::engines::zookeeper {

/// Why a statement is refused before it is sent.
struct Malformed {
  std::string message;
};

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
