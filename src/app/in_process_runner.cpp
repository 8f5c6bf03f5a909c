// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "app/shim_runner.hpp"

namespace fa2bench {
namespace {

class InProcessRunner final : public ShimRunner {
 public:
  explicit InProcessRunner(std::optional<ShimHost> host) : host_(std::move(host)) {}

  Opened open(const Open& open, const std::stop_token& /*stop*/) override {
    host_.emplace(std::get<ShimHost>(open_shim_host(open)));  // as it has no bound on launches
    return host_->opened();
  }

  Run run(const RunRequest& request, const PhaseListener& listener,
          const std::stop_token& stop) override {
    if (!lost_.empty()) {
      Run run;
      run.reason = fmt::format(
          "the device was lost before ({}); without --in-process a new worker would go on", lost_);
      return run;
    }
    Ran ran = host_->run(request, listener, stop);
    if (ran.device_lost) {
      lost_ = ran.run.reason.empty() ? "while a graph was replayed" : ran.run.reason;
    }
    if (const std::optional<double> launch_us = host_->opened().launch_us) {
      ran.run.launch_us = {*launch_us};
    }
    return std::move(ran.run);
  }

 private:
  std::optional<ShimHost> host_;
  std::string lost_;  ///< why; "" while it is there
};

}  // namespace

std::unique_ptr<ShimRunner> make_in_process_runner() {
  return std::make_unique<InProcessRunner>(std::nullopt);
}

std::unique_ptr<ShimRunner> make_in_process_runner(ShimHost host) {
  return std::make_unique<InProcessRunner>(std::move(host));
}

}  // namespace fa2bench
