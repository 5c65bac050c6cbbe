// A large block of zeroed memory straight from the system.
#pragma once

#include <cstddef>

namespace fencecheck::explorer {

/// Address space whose pages cost memory only once they are touched, in huge pages where the system has them: a table
/// of gigabytes that is read at random spends most of its time on address translation otherwise.
class Pages {
 public:
  Pages() = default;

  /// Reserves `bytes` of zeroed memory. Throws std::bad_alloc where the system refuses.
  explicit Pages(std::size_t bytes);
  ~Pages();

  Pages(Pages&& other) noexcept;
  Pages& operator=(Pages&& other) noexcept;
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  void* data() const { return data_; }
  std::size_t size() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace fencecheck::explorer
