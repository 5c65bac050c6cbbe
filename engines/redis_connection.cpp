#include <fencecheck/engines/redis_connection.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include <fmt/core.h>

#include <fencecheck/engines/pipe_signal.h>
#include <fencecheck/engines/plain_text.h>
#include <fencecheck/model/world.h>

namespace fencecheck::engines {
namespace {

timeval time_of(double seconds) {
  const auto micros = static_cast<std::int64_t>(std::max(seconds, 0.001) * 1e6);
  return {.tv_sec = micros / 1'000'000, .tv_usec = micros % 1'000'000};
}

/// The number that `text` is, or -1 where it is none or above `most`.
int number_of(std::string_view text, int most) {
  const std::int64_t number = whole_number(text).value_or(-1);
  return number <= most ? static_cast<int>(std::max<std::int64_t>(number, -1)) : -1;
}

}  // namespace

void Batch::add(const Words& words) {
  bytes += fmt::format("*{}\r\n", words.size());
  for (const std::string& word : words) {
    bytes += fmt::format("${}\r\n", word.size());
    bytes += word;
    bytes += "\r\n";
  }
  ++count;
}

Batch batch_of(const Words& words) {
  Batch batch;
  batch.add(words);
  return batch;
}

Address address_of(const std::string& url) {
  constexpr std::string_view scheme = "redis://";
  const std::string_view rest = std::string_view(url).substr(std::min(url.size(), scheme.size()));
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  const std::string_view place = rest.substr(0, slash);
  const std::size_t colon = std::min(place.rfind(':'), place.size());
  const std::string_view port = place.substr(std::min(colon + 1, place.size()));
  const std::string_view database = rest.substr(std::min(slash + 1, rest.size()));
  Address address{.host = std::string(place.substr(0, colon)),
                  .port = number_of(port, 65535),
                  .database = database.empty() ? 0 : number_of(database, 1'000'000)};
  if (!url.starts_with(scheme) || address.host.empty() || place.find('@') != std::string_view::npos ||
      address.port < 1 || address.database < 0) {
    throw UsageError(
        fmt::format("url '{}': should be redis://host:port/database, such as redis://127.0.0.1:6379/0", url));
  }
  return address;
}

Connection::Connection(const Address& address, double seconds)
    : context_(redisConnectWithTimeout(address.host.c_str(), address.port, time_of(seconds))) {
  if (!context_) throw Lost{.reason = "out of memory"};
  if (context_->err != 0 || redisSetTimeout(context_.get(), time_of(seconds)) != REDIS_OK) throw lost();
}

std::vector<Reply> Connection::exchange(const Batch& batch) {
  const NoPipeSignal quiet;
  if (redisAppendFormattedCommand(context_.get(), batch.bytes.data(), batch.bytes.size()) != REDIS_OK) throw lost();
  std::vector<Reply> replies;
  while (replies.size() < batch.count) {
    void* reply = nullptr;
    errno = 0;
    if (redisGetReply(context_.get(), &reply) != REDIS_OK) throw lost();
    replies.emplace_back(static_cast<redisReply*>(reply));
  }
  return replies;
}

Lost Connection::lost() const {
  // hiredis tells a wait that took too long as any other trouble with the socket.
  const int error = errno;
  const bool late = context_->err != REDIS_ERR_EOF && (error == EAGAIN || error == ETIMEDOUT);
  return {.late = late, .reason = context_->errstr};
}

}  // namespace fencecheck::engines
