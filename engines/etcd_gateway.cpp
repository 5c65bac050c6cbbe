#include <fencecheck/engines/etcd_gateway.h>

#include <fmt/core.h>
#include <httplib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <string_view>

#include <fencecheck/engines/pipe_signal.h>
#include <fencecheck/engines/plain_text.h>
#include <fencecheck/model/world.h>

namespace fencecheck::engines::etcd {
namespace {

using Clock = std::chrono::steady_clock;

/// The names that gRPC gives its codes, from 0 on.
constexpr std::array<std::string_view, 17> code_names{
    "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED"};

std::string code_name(const nlohmann::json& answer) {
  const auto code = answer.find("code");
  if (code == answer.end() || !code->is_number_unsigned()) return "UNKNOWN";
  const auto number = code->get<std::size_t>();
  return number < code_names.size() ? std::string(code_names[number]) : std::to_string(number);
}

std::string text_in(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// What came back, as far as it came. The gateway ends what it refuses with trailers, which the library takes for a
/// broken connection: the answer is whole by then.
struct Received {
  int status = 0;
  std::string body = {};
  httplib::Error error = httplib::Error::Success;
};

struct Place {
  std::string host;
  int port = 0;
};

Place place_of(const std::string& url) {
  constexpr std::string_view scheme = "http://";
  const std::string_view rest = std::string_view(url).substr(std::min(url.size(), scheme.size()));
  const std::size_t colon = std::min(rest.rfind(':'), rest.size());
  const std::string_view port = rest.substr(std::min(colon + 1, rest.size()));
  const std::int64_t number = whole_number(port).value_or(0);
  const bool is_port = number > 0 && number < 65536;
  Place place{std::string(rest.substr(0, colon)), is_port ? static_cast<int>(number) : 0};
  const bool is_host = !place.host.empty() && place.host.find_first_of("/@?") == std::string::npos;
  if (url.starts_with(scheme) && is_host && is_port) return place;
  throw UsageError(fmt::format("url '{}': should be http://host:port, such as http://127.0.0.1:2379", url));
}

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

[[noreturn]] void not_understood(const std::string& what) {
  throw Lost{.reason = "its answer is not one of an etcd's: " + what};
}

}  // namespace

class Gateway::Client {
 public:
  Client(const Place& place, double seconds) : http_(place.host, place.port) {
    const auto micros = std::chrono::microseconds(static_cast<std::int64_t>(std::max(seconds, 0.001) * 1e6));
    http_.set_keep_alive(true);
    http_.set_tcp_nodelay(true);
    http_.set_connection_timeout(micros);
    http_.set_read_timeout(micros);
    http_.set_write_timeout(micros);
  }

  Received post(const std::string& path, const std::string& body) {
    Received received;
    httplib::Request request;
    request.method = "POST";
    request.path = path;
    request.set_header("Content-Type", "application/json");
    request.body = body;
    request.response_handler = [&received](const httplib::Response& response) {
      received.status = response.status;
      return true;
    };
    request.content_receiver = [&received](const char* data, std::size_t size, std::uint64_t, std::uint64_t) {
      received.body.append(data, size);
      return true;
    };
    const NoPipeSignal quiet;
    received.error = http_.send(request).error();
    return received;
  }

 private:
  httplib::Client http_;
};

Gateway::Gateway(const std::string& url, double seconds)
    : seconds_(seconds), client_(std::make_unique<Client>(place_of(url), seconds)) {}
Gateway::~Gateway() = default;
Gateway::Gateway(Gateway&&) noexcept = default;
Gateway& Gateway::operator=(Gateway&&) noexcept = default;

nlohmann::json Gateway::ask(const std::string& path, const nlohmann::json& body) {
  const Clock::time_point begin = Clock::now();
  const Received received = client_->post("/v3/" + path, body.dump());
  const bool arrived = received.error == httplib::Error::Success;
  nlohmann::json answer = nlohmann::json::parse(received.body, nullptr, false);
  if (received.status != 0 && received.status != 200 && answer.is_object()) {
    throw Refused{code_name(answer), text_in(answer, "message")};
  }
  if (!arrived) {
    // The library tells a wait that took too long as any other trouble with the socket.
    const double waited = std::chrono::duration<double>(Clock::now() - begin).count();
    throw Lost{.late = received.error == httplib::Error::Read && waited >= seconds_,
               .reason = received.error == httplib::Error::Connection ? "nobody accepts a connection"
                                                                      : "the connection broke"};
  }
  if (!answer.is_object()) not_understood(fmt::format("HTTP status {}", received.status));
  return answer;
}

std::int64_t number_in(const nlohmann::json& object, const char* name) {
  if (object.find(name) == object.end()) return 0;
  const std::string text = text_in(object, name);
  const std::optional<std::int64_t> number = whole_number(text);
  if (!number) not_understood(fmt::format("'{}' is no number", name));
  return *number;
}

std::int64_t revision_in(const nlohmann::json& answer) {
  const auto header = answer.find("header");
  if (header == answer.end() || !header->is_object()) not_understood("it has no header");
  return number_in(*header, "revision");
}

std::string base64(const std::string& bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t group = 0;
    for (std::size_t i = at; i < at + 3; ++i) {
      group = group << 8 | (i < bytes.size() ? static_cast<std::uint8_t>(bytes[i]) : 0u);
    }
    const std::size_t used = std::min<std::size_t>(bytes.size() - at, 3) + 1;
    for (std::size_t i = 0; i < 4; ++i) text += i < used ? digits[group >> (18 - 6 * i) & 63u] : '=';
  }
  return text;
}

std::string bytes_of(const std::string& base64) {
  std::string bytes;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : base64.substr(0, base64.find('='))) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) not_understood("what should be base64 is not");
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 255u);
  }
  return bytes;
}

}  // namespace fencecheck::engines::etcd
