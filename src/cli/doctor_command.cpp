// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <chrono>
#include <string>
#include <vector>

#include "app/shim_runner.hpp"
#include "app/shims.hpp"
#include "base/build_info.hpp"
#include "cli/commands.hpp"
#include "device/host/host_facts.hpp"
#include "device/select.hpp"

namespace fa2bench {
namespace {

/// Prints one line a fact and remembers what is missing.
class Findings {
 public:
  void good(const std::string& what, const std::string& text) { line("ok", what, text); }
  /// Something that a run can do without.
  void absent(const std::string& what, const std::string& text) { line("--", what, text); }
  void bad(const std::string& what, const std::string& text) {
    line("!!", what, text);
    ready_ = false;
  }
  [[nodiscard]] bool ready() const { return ready_; }

 private:
  static void line(const char* mark, const std::string& what, const std::string& text) {
    fmt::print("{}  {:<16} {}\n", mark, what, text);
  }
  bool ready_ = true;
};

void check_build(Findings& findings) {
  const BuildInfo info = build_info();
  findings.good("tool", fmt::format("ferrum-fa2-bench {}, git {}, {}, {}", info.version, info.git,
                                    info.compiler, info.build_type));
  if (info.cuda.starts_with("none")) {
    findings.absent("CUDA toolkit",
                    "not in this build: install it (developer.nvidia.com/cuda-downloads), then "
                    "configure and build again");
  } else {
    findings.good("CUDA toolkit", info.cuda + " (linked statically)");
  }
  if (info.nvtx == "none") {
    findings.absent("NVTX", "not in this build: it comes with the CUDA toolkit");
  } else {
    findings.good("NVTX", info.nvtx);
  }
}

void check_gpu(Findings& findings, const std::string& obstacle) {
  if (!obstacle.empty()) return findings.absent("GPU", obstacle);
  const DeviceFacts gpu = open_device({DeviceRequest::Kind::cuda, 0}).device->facts();
  findings.good("GPU", fmt::format("{}, compute capability {}, {} SMs, {}, L2 {}, {}", gpu.name,
                                   gpu.compute_capability, gpu.processors, to_text(gpu.memory),
                                   to_text(gpu.l2), gpu.uuid));
  if (gpu.driver.empty()) {
    findings.absent("driver", fmt::format("speaks CUDA {}; NVML is absent, so its version is not "
                                          "known",
                                          gpu.cuda_driver));
  } else {
    findings.good("driver", fmt::format("{}, speaks CUDA {}", gpu.driver, gpu.cuda_driver));
  }
}

void check_bundled(Findings& findings, const char* kind) {
  const std::string name = fmt::format("bundled {}", kind);
  const auto path = find_bundled_shim(own_executable(), kind);
  if (path) {
    findings.good(name, path->string());
  } else {
    findings.absent(name, fmt::format("libferrum_fa2_shim_{}.so is in none of the folders beside "
                                      "this tool; build it with the tool",
                                      kind));
  }
}

/// Loads each shim in a worker, as a run would: one that crashes is a finding.
void check_shims(Findings& findings, const std::vector<std::string>& arguments,
                 const std::string& device) {
  constexpr std::chrono::seconds kPatience{60};
  const std::size_t count = requested_shims(arguments).size();
  for (std::size_t i = 0; i < count; ++i) {
    try {
      const auto runner = make_worker_runner({own_executable(), kPatience});
      const ShimRecord shim = runner->open({device, arguments, i, false}, {}).shim;
      findings.good(
          "shim to use",
          fmt::format("{}: {} (from {}), SHA-256 {}…, head_dims {}, block_sizes {}", shim.label,
                      shim.path, shim.origin, shim.fingerprint.sha256.substr(0, 12),
                      fmt::join(shim.description.head_dims, " "),
                      fmt::join(shim.description.block_sizes, " ")));
    } catch (const Error& error) {
      findings.bad("shim to use", error.what());
    }
  }
}

}  // namespace

int doctor_command(const DoctorOptions& options) {
  const DeviceRequest request = parse_device(options.device);
  Findings findings;
  check_build(findings);
  const DeviceFacts cpu = host_facts();
  findings.good("CPU", fmt::format("{}, {} logical CPUs, {} memory ({} available), cache {}",
                                   cpu.name, cpu.processors, to_text(cpu.memory),
                                   to_text(available_host_memory()), to_text(cpu.l2)));
  const std::string obstacle = cuda_obstacle();
  check_gpu(findings, obstacle);
  check_bundled(findings, "cpu");
  check_bundled(findings, "cuda");
  if (request.kind == DeviceRequest::Kind::cuda && !obstacle.empty()) {
    findings.bad("device", fmt::format("--device {} cannot be used: {}", options.device, obstacle));
  } else {
    const bool on_cpu = request.kind == DeviceRequest::Kind::host || !obstacle.empty();
    findings.good("device", fmt::format("--device {} measures on the {}", options.device,
                                        on_cpu ? "CPU" : "GPU"));
    check_shims(findings, options.shims, on_cpu ? "cpu" : options.device);
  }
  fmt::print("{}\n", findings.ready() ? "ready" : "not ready: see the lines marked !!");
  return static_cast<int>(findings.ready() ? ExitCode::ok : ExitCode::environment);
}

}  // namespace fa2bench
