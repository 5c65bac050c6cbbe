#include <fencecheck/explorer/pages.h>

#include <sys/mman.h>

#include <new>
#include <utility>

namespace fencecheck::explorer {

Pages::Pages(std::size_t bytes) : bytes_(bytes) {
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  data_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (data_ == MAP_FAILED) {
    data_ = nullptr;
    throw std::bad_alloc();
  }
  madvise(data_, bytes, MADV_HUGEPAGE);  // a wish: where it is not granted everything works, only slower
}

Pages::~Pages() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

Pages::Pages(Pages&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Pages& Pages::operator=(Pages&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace fencecheck::explorer
