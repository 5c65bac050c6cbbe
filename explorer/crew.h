// A fixed crew of threads that do one job together at a time.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace fencecheck::explorer {

/// `size` threads, the caller being number 0. Threads are started at the first job that needs them.
class Crew {
 public:
  explicit Crew(int size) : size_(size) {}
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  int size() const { return size_; }

  /// Runs job(0) … job(hands - 1), one on each thread, and returns when all are done. `hands` is at most `size()`.
  /// An exception in any of them is thrown again here.
  void run(int hands, const std::function<void(int)>& job);

 private:
  void serve(int number);

  int size_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  const std::function<void(int)>* job_ = nullptr;
  int hands_ = 0;
  int working_ = 0;
  std::uint64_t round_ = 0;
  bool closing_ = false;
  std::exception_ptr failure_;
};

}  // namespace fencecheck::explorer
