// SPDX-License-Identifier: MIT
#include "app/memory_holder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "device/select.hpp"
#include "device/workload_buffers.hpp"

namespace fa2bench {
namespace {

// First the text of --device, without an answer. Then any number of questions, each
// "<layer bytes> <layers> <bytes to leave free>", and as many answers: "refused <reason>" or
// "shared <tag> <handle> …".
constexpr const char* kRefused = "refused";
constexpr const char* kShared = "shared";

constexpr const char* kEnded = "has ended";

/// Of each process, for what its shim allocates.
constexpr Bytes kReserveOfProcess = mib(512);

bool sharing_is_off() {
  const char* value = std::getenv(kNoSharingVariable);  // NOLINT(concurrency-mt-unsafe)
  const std::string text = value == nullptr ? "" : value;
  return !text.empty() && text != "0";
}

std::string question(const PoolRequest& request) {
  return fmt::format("{} {} {}", request.layer_size.count, request.layers, request.reserve.count);
}

std::optional<PoolRequest> read_question(const std::string& text) {
  std::istringstream words(text);
  PoolRequest request;
  words >> request.layer_size.count >> request.layers >> request.reserve.count;
  return words.fail() ? std::nullopt : std::optional(request);
}

std::string answer(const SharedPool& pool) {
  return fmt::format("{} {} {}", kShared, pool.tag, fmt::join(pool.handles, " "));
}

/// Nothing for a text that is no answer.
std::optional<PoolAnswer> read_answer(const std::string& text, const PoolRequest& request) {
  std::istringstream words(text);
  std::string kind;
  words >> kind;
  if (kind == kRefused) {
    std::string reason;
    std::getline(words >> std::ws, reason);
    return PoolAnswer{std::nullopt, printable(reason)};
  }
  SharedPool pool;
  pool.layer_size = request.layer_size;
  words >> pool.tag;
  if (kind != kShared || words.fail()) return std::nullopt;
  for (std::string handle; words >> handle;) pool.handles.push_back(handle);
  if (pool.handles.empty()) return std::nullopt;
  return PoolAnswer{std::move(pool), ""};
}

std::uint64_t random_tag() {
  std::random_device random;
  return (static_cast<std::uint64_t>(random()) << 32U) | random();
}

/// As many layers as are wanted and leave the reserve free; pages of a CPU are taken when they are
/// written, so an allocation that succeeds tells nothing there.
std::size_t layers_that_fit(const Device& device, const PoolRequest& request) {
  const std::uint64_t free = device.free_memory().count;
  const std::uint64_t one = request.layer_size.count;
  if (one > free) {
    throw OutOfMemory(fmt::format("needs {} of memory to share, {} is free",
                                  to_text(request.layer_size), to_text(device.free_memory())));
  }
  const std::uint64_t taken = one + request.reserve.count;
  const std::uint64_t more = free > taken ? (free - taken) / std::max<std::uint64_t>(one, 1) : 0;
  return std::min<std::uint64_t>(request.layers, 1 + more);
}

/// What the holder's process has.
class Holding {
 public:
  explicit Holding(std::string device) : device_text_(std::move(device)) {}

  std::string answer_to(const std::string& text) {
    try {
      const std::optional<PoolRequest> request = read_question(text);
      if (!request) return fmt::format("{} no such question", kRefused);
      owned_.reset();
      if (!device_) device_ = open_device(parse_device(device_text_)).device;
      owned_ = share_pool(*device_, request->layer_size, layers_that_fit(*device_, *request),
                          random_tag());
      device_->synchronize();
      return answer(owned_->pool);
    } catch (const std::exception& error) {
      return fmt::format("{} {}", kRefused, error.what());
    }
  }

 private:
  std::string device_text_;
  std::unique_ptr<Device> device_;
  std::optional<OwnedPool> owned_;
};

}  // namespace

PoolRequest pool_for(const Workload& workload, const Plan& plan, const std::vector<Mode>& modes,
                     Bytes l2, int processes) {
  const bool layered = std::any_of(modes.begin(), modes.end(), has_layers);
  const Bytes besides =
      WorkloadBuffers::private_footprint(plan) + sweep_memory(l2) + kReserveOfProcess;
  return {size_of_layer(WorkloadBuffers::sizes(plan, workload.shape)),
          layered ? static_cast<std::size_t>(workload.layers) : 1,
          besides * static_cast<std::uint64_t>(processes)};
}

MemoryHolder::MemoryHolder(std::filesystem::path program, std::string device,
                           std::chrono::milliseconds patience)
    : program_(std::move(program)), device_(std::move(device)), patience_(patience) {
  if (sharing_is_off()) obstacle_ = fmt::format("{} is set", kNoSharingVariable);
}

PoolAnswer MemoryHolder::share(const PoolRequest& request, const std::function<bool()>& stop) {
  if (!obstacle_.empty()) return {std::nullopt, obstacle_};
  try {
    if (!child_) {
      child_.emplace(program_, std::vector<std::string>{"memory"});
      if (!child_->channel().send(device_)) return refuse_for_good(kEnded);
    }
  } catch (const Error& error) {
    return refuse_for_good(error.what());
  }
  std::string text;
  if (!child_->channel().send(question(request))) return refuse_for_good(kEnded);
  switch (child_->channel().receive(text, Channel::Clock::now() + patience_, stop)) {
    case Received::message:
      if (auto answer = read_answer(text, request)) return *std::move(answer);
      return refuse_for_good("sent garbage");
    case Received::timeout:
      return refuse_for_good("did not answer");
    case Received::stopped:
      return refuse_for_good("was interrupted");
    case Received::closed:
    case Received::garbage:
      break;
  }
  return refuse_for_good(kEnded);
}

PoolAnswer MemoryHolder::refuse_for_good(std::string obstacle) {
  child_.reset();
  obstacle_ = "the process that holds the memory " + std::move(obstacle);
  return {std::nullopt, obstacle_};
}

int serve_memory(Channel& channel) {
  const auto never = Channel::Clock::time_point::max();
  std::string text;
  if (channel.receive(text, never) != Received::message) return 0;
  Holding holding(text);
  while (channel.receive(text, never) == Received::message) {
    if (!channel.send(holding.answer_to(text))) return static_cast<int>(ExitCode::internal);
  }
  return 0;
}

}  // namespace fa2bench
