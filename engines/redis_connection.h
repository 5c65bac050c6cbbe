// A connection to a Redis server: commands go out, replies come in.
#pragma once

#include <hiredis/hiredis.h>

#include <memory>
#include <string>
#include <vector>

#include <fencecheck/engines/redis_command.h>

namespace fencecheck::engines {

struct FreeReply {
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};
using Reply = std::unique_ptr<redisReply, FreeReply>;

/// Commands in the form in which the server reads them, to be sent at once.
struct Batch {
  std::string bytes = {};
  std::size_t count = 0;

  void add(const Words& words);
};

Batch batch_of(const Words& words);

/// A connection that cannot be used any more.
struct Lost {
  bool late = false;  ///< the server did not answer in time
  std::string reason = {};
};

struct Address {
  std::string host = "127.0.0.1";
  int port = 0;
  int database = 0;
};

/// Throws UsageError where `url` is not `redis://host:port/database` or `redis://host:port`.
Address address_of(const std::string& url);

class Connection {
 public:
  /// Each wait for the server takes `seconds` at most. Throws Lost.
  Connection(const Address& address, double seconds);

  /// Sends all commands of `batch` and gives their replies, one for each. Throws Lost.
  std::vector<Reply> exchange(const Batch& batch);

 private:
  struct Free {
    void operator()(redisContext* context) const { redisFree(context); }
  };

  Lost lost() const;

  std::unique_ptr<redisContext, Free> context_;
};

}  // namespace fencecheck::engines
