// SPDX-License-Identifier: MIT
#include "device/host/host_telemetry.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace fa2bench {
namespace {

/// A folder that holds a /proc and a /sys.
class HostTelemetry : public testing::Test {
 protected:
  HostTelemetry() {
    std::string name = (std::filesystem::temp_directory_path() / "fa2bench-root-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
  }
  ~HostTelemetry() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  std::filesystem::path root_;
};

constexpr const char* kCpuInfo =
    "processor\t: 0\nmodel name\t: Example\ncpu MHz\t\t: 1200.500\n\n"
    "processor\t: 1\nmodel name\t: Example\ncpu MHz\t\t: 3400.250\n\n";

TEST_F(HostTelemetry, IsUnknownWhereLinuxSaysNothing) {
  EXPECT_EQ(host_telemetry(root_, 0), Telemetry{});
  EXPECT_EQ(cpu_governor(root_), "");
}

TEST_F(HostTelemetry, HasTheFrequencyOfTheCpuThatIsAskedFor) {
  write("sys/devices/system/cpu/cpu3/cpufreq/scaling_cur_freq", "2899750\n");
  write("proc/cpuinfo", kCpuInfo);
  EXPECT_DOUBLE_EQ(host_telemetry(root_, 3).cpu_mhz.value(), 2899.75);
}

TEST_F(HostTelemetry, FindsTheFrequencyInCpuinfoWhereThereIsNoCpufreq) {
  write("proc/cpuinfo", kCpuInfo);
  EXPECT_EQ(host_telemetry(root_, 0).cpu_mhz, 1200.5);
  EXPECT_EQ(host_telemetry(root_, 1).cpu_mhz, 3400.25);
  EXPECT_EQ(host_telemetry(root_, 2).cpu_mhz, std::nullopt);
}

TEST_F(HostTelemetry, HasTheLoadOfTheLastMinute) {
  write("proc/loadavg", "0.75 2.50 3.00 1/234 5678\n");
  EXPECT_EQ(host_telemetry(root_, 0).load_average, 0.75);
  write("proc/loadavg", "busy\n");
  EXPECT_EQ(host_telemetry(root_, 0).load_average, std::nullopt);
}

TEST_F(HostTelemetry, NamesTheGovernor) {
  write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  EXPECT_EQ(cpu_governor(root_), "performance");
}

TEST_F(HostTelemetry, OfThisMachineHasALoad) {
  EXPECT_TRUE(host_telemetry().load_average.has_value());
}

}  // namespace
}  // namespace fa2bench
