// A connection to the JSON gateway of an etcd: requests go out, answers come in.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

namespace fencecheck::engines::etcd {

/// A server that cannot be reached, or did not answer in time.
struct Lost {
  bool late = false;
  std::string reason = {};
};

/// What the server answers to a request that it does not carry out.
struct Refused {
  std::string code;  ///< of gRPC, by its name: "INVALID_ARGUMENT"
  std::string message;
};

class Gateway {
 public:
  /// `url`: http://host:port. Each wait for the server takes `seconds` at most. Throws UsageError where the url has
  /// another form; connects with the first request.
  Gateway(const std::string& url, double seconds);
  ~Gateway();
  Gateway(Gateway&&) noexcept;
  Gateway& operator=(Gateway&&) noexcept;

  /// Sends `body` to /v3/`path` and gives the answer. Throws Refused or Lost.
  nlohmann::json ask(const std::string& path, const nlohmann::json& body);

 private:
  class Client;

  double seconds_;
  std::unique_ptr<Client> client_;
};

/// A number of an answer: it is a text there, and left out where it is 0. Throws Lost where it is something else.
std::int64_t number_in(const nlohmann::json& object, const char* name);

/// The revision that an answer's header has.
std::int64_t revision_in(const nlohmann::json& answer);

/// Bytes as the gateway wants them, and back. Throws Lost where a text is not what such bytes look like.
std::string base64(const std::string& bytes);
std::string bytes_of(const std::string& base64);

}  // namespace fencecheck::engines::etcd
