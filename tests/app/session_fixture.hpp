// SPDX-License-Identifier: MIT
// A session over fakes: workloads and shims in, report out.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/fake_shim.hpp"
#include "app/faulty_device.hpp"
#include "app/session.hpp"

namespace fa2bench::test {

class SessionTest : public testing::Test {
 protected:
  SessionTest() {
    // Ended by the count, never by the clock: one warm-up call, which says that it took longer than
    // a warm-up needs, and four samples. With the checks before and after, nine calls.
    settings_.limits.time_limit = Seconds(5'000.0);
    settings_.limits.min_trials = settings_.limits.max_trials = 1;
    settings_.limits.duty = 1.0;
    settings_.limits.min_samples = 1000;
    settings_.limits.max_samples = 4;
    add(fake_shim("fake"));
  }

  void add(LabelledShim fake) {
    report_.shims.emplace_back().label = fake.label;
    shims_.push_back(
        {fake.label, make_in_process_runner(ShimHost(device_owner_, std::move(fake.shim)))});
  }

  const Report& run(const std::vector<std::string>& names) {
    std::vector<Workload> workloads;
    for (const std::string& name : names) workloads.push_back(small_workload(name));
    return run_workloads(workloads);
  }

  const Report& run_workloads(const std::vector<Workload>& workloads) {
    const SessionEvents events{[this](std::size_t done, std::size_t total, const std::string& now,
                                      const std::string& phase) {
                                 std::string step =
                                     std::to_string(done) + "/" + std::to_string(total) + " " + now;
                                 if (steps_.empty() || steps_.back() != step)
                                   steps_.push_back(std::move(step));
                                 if (on_progress_) on_progress_(now, phase);
                               },
                               [this](const Report& report) {
                                 saved_.push_back(report.workloads.size());
                                 if (on_save_) on_save_();
                               }};
    run_session(workloads, shims_, settings_, events, stop_.get_token(), report_);
    return report_;
  }

  [[nodiscard]] const auto& run_of(std::size_t workload, std::size_t shim = 0) const {
    return report_.workloads.at(workload).runs.at(shim);
  }

  std::shared_ptr<FaultyDevice> device_owner_ = std::make_shared<FaultyDevice>();
  FaultyDevice& device_ = *device_owner_;
  std::vector<SessionShim> shims_;
  SessionSettings settings_;
  std::stop_source stop_;
  Report report_;
  std::vector<std::string> steps_;  ///< what progress() was told
  std::vector<std::size_t> saved_;  ///< workloads in the report at each save()
  std::function<void(const std::string& now, const std::string& phase)> on_progress_;
  std::function<void()> on_save_;
};

}  // namespace fa2bench::test
