// SPDX-License-Identifier: MIT
#include "device/cuda/activities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <utility>

#include "device/cuda/activity_record.hpp"
#include "device/cuda/api_listener.hpp"
#include "device/cuda/cupti.hpp"

namespace fa2bench::cuda {
namespace {

constexpr std::array<CUpti_ActivityKind, 3> kKinds{
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET};

/// CUPTI hands buffers back from threads of its own and has no place for a pointer of ours, so that
/// the receiver of the moment is known to the whole process.
struct Receiver {
  std::mutex mutex;
  const Cupti* cupti = nullptr;  ///< null: nobody listens
  std::vector<Activity> activities;
  bool unreadable = false;
};
Receiver& receiver() {
  static Receiver instance;
  return instance;
}

constexpr std::size_t kBufferBytes = std::size_t{1} << 20U;
constexpr std::align_val_t kBufferAlignment{8};  // what records need

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records) {
  *buffer =
      static_cast<std::uint8_t*>(::operator new(kBufferBytes, kBufferAlignment, std::nothrow));
  *size = *buffer == nullptr ? 0 : kBufferBytes;
  *max_records = 0;  // as many as fit
}

void CUPTIAPI take_buffer(CUcontext /*context*/, std::uint32_t /*stream*/, std::uint8_t* buffer,
                          std::size_t /*size*/, std::size_t valid_size) {
  {
    const std::lock_guard lock(receiver().mutex);
    const Cupti* cupti = receiver().cupti;
    CUpti_Activity* record = nullptr;
    while (cupti != nullptr && valid_size > 0) {
      const CUptiResult result = cupti->next_record(buffer, valid_size, &record);
      if (result != CUPTI_SUCCESS) {
        if (result != CUPTI_ERROR_MAX_LIMIT_REACHED) receiver().unreadable = true;
        break;
      }
      if (auto activity = read_record(*record)) {
        receiver().activities.push_back(*std::move(activity));
      }
    }
  }
  ::operator delete(buffer, kBufferAlignment);
}

constexpr std::array<CUpti_CallbackDomain, 2> kDomains{CUPTI_CB_DOMAIN_RUNTIME_API,
                                                       CUPTI_CB_DOMAIN_DRIVER_API};

/// Recording, from start() until it goes.
class Recording {
 public:
  Recording(const Cupti& cupti, ApiListener& listener) : cupti_(cupti), listener_(listener) {}
  ~Recording() { stop(); }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// Why it does not record, or "".
  std::string start() {
    // Before anything else: it is how CUPTI says that a profiler was here first.
    CUptiResult result = cupti_.subscribe(&subscriber_, ApiListener::notice, &listener_);
    if (result != CUPTI_SUCCESS) return failure("cuptiSubscribe", result);
    subscribed_ = true;
    {
      const std::lock_guard lock(receiver().mutex);
      receiver().cupti = &cupti_;
      receiver().activities.clear();
      receiver().unreadable = false;
    }
    result = cupti_.register_callbacks(give_buffer, take_buffer);
    if (result != CUPTI_SUCCESS) return failure("cuptiActivityRegisterCallbacks", result);
    for (const CUpti_ActivityKind kind : kKinds) {
      result = cupti_.enable(kind);
      if (result != CUPTI_SUCCESS) return failure("cuptiActivityEnable", result);
      ++enabled_;
    }
    for (const CUpti_CallbackDomain domain : kDomains) {
      result = cupti_.enable_domain(1, subscriber_, domain);
      if (result != CUPTI_SUCCESS) return failure("cuptiEnableDomain", result);
      ++domains_;
    }
    return "";
  }

  /// What was recorded so far. Why that is not all, or "".
  std::string collect(std::vector<Activity>& activities) {
    const CUptiResult result = cupti_.flush(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    if (result != CUPTI_SUCCESS) return failure("cuptiActivityFlushAll", result);
    std::size_t dropped = 0;
    (void)cupti_.dropped(nullptr, 0, &dropped);
    if (dropped > 0) return fmt::format("CUPTI dropped {} records", dropped);
    const std::lock_guard lock(receiver().mutex);
    activities = std::move(receiver().activities);
    return receiver().unreadable ? "CUPTI's records cannot be read" : "";
  }

 private:
  [[nodiscard]] std::string failure(const char* what, CUptiResult result) const {
    const char* name = nullptr;
    if (cupti_.result_text(result, &name) != CUPTI_SUCCESS || name == nullptr) name = "unknown";
    const char* why = result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
                          ? "; a profiler or debugger uses it already"
                          : "";
    return fmt::format("CUPTI cannot trace: {}: {}{}", what, name, why);
  }

  /// Leaves nothing on that later calls would pay for.
  void stop() {
    for (std::size_t i = 0; i < domains_; ++i) {
      (void)cupti_.enable_domain(0, subscriber_, kDomains.at(i));
    }
    for (std::size_t i = 0; i < enabled_; ++i) (void)cupti_.disable(kKinds.at(i));
    if (enabled_ > 0) (void)cupti_.flush(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    if (subscribed_) {
      const std::lock_guard lock(receiver().mutex);
      receiver().cupti = nullptr;
      receiver().activities.clear();
    }
    if (subscribed_) (void)cupti_.unsubscribe(subscriber_);
  }

  const Cupti& cupti_;
  ApiListener& listener_;
  CUpti_SubscriberHandle subscriber_ = nullptr;
  bool subscribed_ = false;
  std::size_t enabled_ = 0;  ///< of kKinds
  std::size_t domains_ = 0;  ///< of kDomains
};

/// Times relative to the first start, in µs.
KernelTrace to_trace(std::vector<Activity> activities) {
  KernelTrace trace;
  std::stable_sort(activities.begin(), activities.end(),
                   [](const Activity& a, const Activity& b) { return a.start_ns < b.start_ns; });
  const auto timed = [](const Activity& a) { return a.start_ns > 0 && a.end_ns >= a.start_ns; };
  if (activities.empty()) {
    trace.obstacle = "CUPTI saw no kernel, copy or fill";
  } else if (!std::all_of(activities.begin(), activities.end(), timed)) {
    trace.obstacle = "CUPTI has no times for some of the launches";
  }
  if (!trace.obstacle.empty()) return trace;
  const std::uint64_t first = activities.front().start_ns;
  for (Activity& activity : activities) {
    const double start = static_cast<double>(activity.start_ns - first) / 1e3;
    const double end = static_cast<double>(activity.end_ns - first) / 1e3;
    trace.launches.push_back({std::move(activity.launch), start, end});
    trace.span_us = std::max(trace.span_us, end);
  }
  return trace;
}

KernelTrace no_trace(std::string obstacle) {
  KernelTrace trace;
  trace.obstacle = std::move(obstacle);
  return trace;
}

}  // namespace

KernelTrace record_activities(const std::vector<std::string>& libraries, const TracedWork& work) {
  Cupti cupti;
  if (std::string why = open_cupti(libraries, cupti); !why.empty()) return no_trace(std::move(why));
  std::vector<Activity> activities;
  ApiListener listener;  // goes after the recording that calls it back
  Recording recording(cupti, listener);
  if (std::string why = recording.start(); !why.empty()) return no_trace(std::move(why));
  work.before();
  listener.listen(true);
  work.call();
  listener.listen(false);
  work.after();
  if (std::string why = recording.collect(activities); !why.empty()) {
    return no_trace(std::move(why));
  }
  KernelTrace trace = to_trace(std::move(activities));
  trace.api_calls = listener.take();
  return trace;
}

}  // namespace fa2bench::cuda
