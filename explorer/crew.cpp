#include <fencecheck/explorer/crew.h>

#include <exception>
#include <utility>

namespace fencecheck::explorer {

Crew::~Crew() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Crew::run(int hands, const std::function<void(int)>& job) {
  if (hands <= 1) {
    job(0);
    return;
  }
  while (static_cast<int>(threads_.size()) < size_ - 1) {
    threads_.emplace_back([this, number = static_cast<int>(threads_.size()) + 1] { serve(number); });
  }
  {
    const std::scoped_lock lock(mutex_);
    job_ = &job;
    hands_ = hands;
    working_ = size_ - 1;
    ++round_;
  }
  wake_.notify_all();
  std::exception_ptr own_failure;
  try {
    job(0);
  } catch (...) {
    own_failure = std::current_exception();
  }
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return working_ == 0; });
  std::exception_ptr failure = std::exchange(failure_, nullptr);
  if (own_failure) failure = own_failure;
  if (failure) std::rethrow_exception(failure);
}

void Crew::serve(int number) {
  std::uint64_t served = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [&] { return closing_ || round_ != served; });
    if (closing_) return;
    served = round_;
    const std::function<void(int)>* job = number < hands_ ? job_ : nullptr;
    lock.unlock();
    std::exception_ptr failure;
    try {
      if (job != nullptr) (*job)(number);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure) failure_ = failure;
    if (--working_ == 0) done_.notify_one();
  }
}

}  // namespace fencecheck::explorer
