// SPDX-License-Identifier: MIT
#include "app/stream_check.hpp"

#include <fmt/format.h>

#include <array>

namespace fa2bench {

std::string work_outside_stream(const Shim& shim, const WorkloadOnDevice& target) {
  if (!target.device.has_gate()) return "";
  const PagedVarlenCall& arguments = target.buffers.call();
  std::array<char, kErrBufBytes> err_buf{};
  const auto call = [&] { return shim.call_timed(arguments, target.device.stream(), err_buf); };
  struct Output {
    const char* name = nullptr;
    const void* data = nullptr;
    std::uint32_t canary = 0;
    Bytes size;
  };
  constexpr std::uint32_t kPair = kCanaryHalf | (static_cast<std::uint32_t>(kCanaryHalf) << 16U);
  for (const Output& output :
       {Output{"out", arguments.out, kPair, target.plan.memory.q},
        Output{"lse", arguments.lse, kCanaryFloat, target.plan.memory.lse}}) {
    target.buffers.poison_outputs();
    const HeldCall held =
        target.device.call_while_held(call, output.data, output.canary, output.size);
    if (held.blocked || held.code != 0) return "";
    if (held.wrote) {
      return fmt::format(
          "wrote {} while its stream was held: it works on another stream or thread, where it "
          "cannot be timed",
          output.name);
    }
  }
  return "";
}

}  // namespace fa2bench
