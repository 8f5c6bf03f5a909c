// SPDX-License-Identifier: MIT
#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace fa2bench {

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        body(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
  };
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < std::min(cores, count); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

void parallel_ranges(std::size_t count, std::size_t grain,
                     const std::function<void(std::size_t, std::size_t)>& body) {
  const std::size_t ranges = (count + grain - 1) / grain;
  parallel_for(ranges, [&](std::size_t i) { body(i * grain, std::min(count, (i + 1) * grain)); });
}

}  // namespace fa2bench
