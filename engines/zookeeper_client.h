// A session with a ZooKeeper, through its C client: one request at a time, each waited for, but not for ever.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fencecheck/engines/zookeeper_request.h>

struct _zhandle;  // as the C client calls it

namespace fencecheck::engines::zookeeper {

/// No answer came: the connection is gone, the session is, or the server took too long.
struct Lost {
  std::string reason;
  bool late = false;
};

/// What a node is beside its value. The zxids are the server's own.
struct NodeStat {
  std::int64_t czxid = 0;
  std::int64_t mzxid = 0;
  std::int64_t owner = 0;    ///< the session that an ephemeral node belongs to
  std::int64_t created = 0;  ///< children that were ever created below it: the number of the next sequential one
  std::int64_t children = 0;
  int version = 0;
};

struct Reply {
  int error = 0;  ///< one of the C client's; see name_of
  NodeStat stat = {};
  std::string text = {};  ///< the value of a get, the path of a create
  std::vector<std::string> names = {};
};

struct MultiReply {
  int error = 0;
  std::size_t failed = 0;     ///< which operation is to blame for an error
  std::vector<Reply> each{};  ///< of a create the path is known, of a set the stat
};

/// "ZNONODE".
const char* name_of(int error);
const char* words_of(int error);
bool is_no_node(int error);

struct Pending;

class Client {
 public:
  /// Begins to connect to `address` ("host:port") and does not wait for it; the first request does. Each request waits
  /// `seconds` at most. All throw Lost.
  Client(const std::string& address, double seconds);
  /// Closes the session at the server: once this has returned, what belonged to it is gone or soon will be. Where the
  /// server does not answer this takes 1.5 seconds, the client's own patience; where it is dead, no time.
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// The session's number, once a request was answered.
  std::int64_t id() const;

  Reply get(const std::string& path);
  Reply children(const std::string& path);
  /// A create, a set or a remove.
  Reply change(const Operation& operation);
  MultiReply multi(const std::vector<Operation>& operations);

 private:
  template <class Send>
  Reply ask(const std::shared_ptr<Pending>& pending, Send send);

  double seconds_;
  _zhandle* handle_;
};

}  // namespace fencecheck::engines::zookeeper
