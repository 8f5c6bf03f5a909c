// SPDX-License-Identifier: MIT
#include "device/select.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/error.hpp"
#include "device/host/host_device.hpp"
#if FA2BENCH_HAVE_CUDA
#include "device/cuda/cuda_device.hpp"
#endif

namespace fa2bench {
namespace {

#if FA2BENCH_HAVE_CUDA
std::unique_ptr<Device> make_gpu(const DeviceRequest& request) {
  return make_cuda_device(request.index, request.used_before);
}
#else
std::unique_ptr<Device> make_gpu(const DeviceRequest& /*request*/) {
  throw Error(ErrorKind::environment,
              "no CUDA device: " + cuda_obstacle() + "; --device cpu measures without one");
}
#endif

}  // namespace

DeviceRequest parse_device(std::string_view text) {
  using Kind = DeviceRequest::Kind;
  if (text == "auto") return {Kind::automatic, 0};
  if (text == "cpu") return {Kind::host, 0};
  if (text == "cuda") return {Kind::cuda, 0};
  if (text.starts_with("cuda:")) {
    const std::string_view digits = text.substr(5);
    const char* end = digits.data() + digits.size();
    int index = 0;
    const auto [stop, code] = std::from_chars(digits.data(), end, index);
    if (code == std::errc{} && stop == end && index >= 0) return {Kind::cuda, index};
  }
  throw Error(ErrorKind::usage,
              fmt::format("--device {}: expected auto, cpu, cuda or cuda:N{}", text,
                          text == "gpu" || text == "GPU" ? " (did you mean cuda?)" : ""));
}

std::string cuda_obstacle() {
#if FA2BENCH_HAVE_CUDA
  return cuda_device_obstacle();
#else
  return "this build has no CUDA; install the CUDA toolkit (nvcc) and build again";
#endif
}

OpenedDevice open_device(const DeviceRequest& request) {
  if (request.kind == DeviceRequest::Kind::cuda) return {make_gpu(request), ""};
  if (request.kind == DeviceRequest::Kind::host) return {make_host_device(), ""};
  std::string obstacle = cuda_obstacle();
  if (obstacle.empty()) return {make_gpu(request), ""};
  return {make_host_device(), "measuring on the CPU: " + obstacle};
}

}  // namespace fa2bench
