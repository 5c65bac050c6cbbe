// The PostgreSQL server that sessions connect to: a private one, or one that runs already.
#pragma once

#include <memory>
#include <string>

#include <fencecheck/engines/engine.h>
#include <fencecheck/engines/postgresql_connection.h>
#include <fencecheck/engines/server.h>

namespace fencecheck::engines::postgresql {

/// A server of our own, without a table, which nobody else can connect to. It and its folder go with the object.
class PrivateServer {
 public:
  /// Throws EngineMissing where PostgreSQL is not installed, and EngineFailure where it does not start.
  PrivateServer();
  ~PrivateServer();
  PrivateServer(const PrivateServer&) = delete;
  PrivateServer& operator=(const PrivateServer&) = delete;

  const Address& address() const { return address_; }
  /// The address in the form that a user gives one.
  std::string url() const;
  std::string log_tail() const { return process_->log_tail(); }

 private:
  TemporaryFolder folder_;
  Address address_;
  std::unique_ptr<ServerProcess> process_;
};

/// Where our tables are.
struct Place {
  std::unique_ptr<PrivateServer> server;  ///< none where the user gave a url
  Address address;
  std::string name;     ///< for messages, without a password
  std::string options;  ///< those that the user's url sets for every connection
  std::string schema;   ///< all of which is ours

  /// The address with settings (`-c name=value`) for a connection.
  Address with(const std::string& settings) const;

  /// The message, with the end of the server's log where we have that.
  EngineFailure failure(const std::string& message) const;
};

/// Throws EngineMissing where PostgreSQL is not installed or nobody answers at `url`, and UsageError where the url is
/// no url, or the server does not let us in.
Place place_of(const std::string& url);

}  // namespace fencecheck::engines::postgresql
