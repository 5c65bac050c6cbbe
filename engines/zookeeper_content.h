// What a ZooKeeper holds, as a design sees it: nodes, virtual zxids, and sessions that have expired unawares.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fencecheck/engines/engine.h>
#include <fencecheck/engines/zookeeper_request.h>

namespace fencecheck::engines::zookeeper {

struct Node {
  std::string value = {};
  int version = 0;
  std::int64_t czxid = 0;
  std::int64_t mzxid = 0;
  std::int64_t created = 0;  ///< children that were ever created below it
  int session = 0;           ///< that owns it; 0 where it is not ephemeral
  std::int64_t real_czxid = 0;
  std::int64_t real_mzxid = 0;
};

/// A node always stands behind its parent.
using Nodes = std::map<std::string, Node>;

struct Stored {
  std::int64_t zxid = 0;
  Nodes nodes = {{"/", {}}};
  std::set<int> expired = {};  ///< sessions whose workers do not know
};

Content content_of(const Stored& stored);

/// An empty image is that of a store in which nothing ever was.
Stored stored_of(const std::string& image);

/// The parent of all but the root, whose own it is here.
std::string parent_of(const std::string& path);
std::int64_t children_of(const Nodes& nodes, const std::string& path);

/// The nodes that belong to a session.
std::set<std::string> nodes_of(const Nodes& nodes, int session);

/// The child with the lowest sequence number, the ten digits that its name ends in; empty where none has one.
std::string lowest_of(const std::vector<std::string>& names);

/// Appends what makes `node` at `path` (on the server) as it is in a content, where it has so many children.
void make(std::vector<Operation>& operations, const std::string& path, const Node& node, std::int64_t children);

}  // namespace fencecheck::engines::zookeeper
