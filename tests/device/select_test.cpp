// SPDX-License-Identifier: MIT
#include "device/select.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fa2bench {
namespace {

using Kind = DeviceRequest::Kind;

/// The text and kind of the error that `body` throws.
template <typename Body>
std::string complaint(ErrorKind kind, Body body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  return "";
}

TEST(ParseDevice, KnowsItsFourForms) {
  EXPECT_EQ(parse_device("auto").kind, Kind::automatic);
  EXPECT_EQ(parse_device("cpu").kind, Kind::host);
  EXPECT_EQ(parse_device("cuda").kind, Kind::cuda);
  EXPECT_EQ(parse_device("cuda").index, 0);
  EXPECT_EQ(parse_device("cuda:0").index, 0);
  EXPECT_EQ(parse_device("cuda:17").kind, Kind::cuda);
  EXPECT_EQ(parse_device("cuda:17").index, 17);
}

TEST(ParseDevice, RefusesEverythingElse) {
  for (const std::string text : {"", "CUDA", "cuda:", "cuda:-1", "cuda:x", "cuda:1x", "cuda: 1",
                                 "cuda:+1", "cuda:99999999999", "cpu:0", "auto "}) {
    EXPECT_EQ(complaint(ErrorKind::usage, [&] { (void)parse_device(text); }),
              "--device " + text + ": expected auto, cpu, cuda or cuda:N");
  }
  EXPECT_EQ(complaint(ErrorKind::usage, [] { (void)parse_device("gpu"); }),
            "--device gpu: expected auto, cpu, cuda or cuda:N (did you mean cuda?)");
}

TEST(OpenDevice, OpensTheCpuWhenAsked) {
  const OpenedDevice opened = open_device(parse_device("cpu"));
  EXPECT_EQ(opened.device->facts().kind, DeviceKind::host);
  EXPECT_EQ(opened.note, "");
}

TEST(OpenDevice, AutoSaysWhyItTookTheCpu) {
  const std::string obstacle = cuda_obstacle();
  const OpenedDevice opened = open_device(parse_device("auto"));
  const bool host = opened.device->facts().kind == DeviceKind::host;
  EXPECT_EQ(host, !obstacle.empty());
  EXPECT_EQ(opened.note, host ? "measuring on the CPU: " + obstacle : "");
}

TEST(OpenDevice, FailsWhereTheDeviceAskedForIsNotThere) {
  const std::string obstacle = cuda_obstacle();
  const std::string text =
      complaint(ErrorKind::environment, [] { (void)open_device(parse_device("cuda:1000")); });
  if (obstacle.empty()) {
    EXPECT_EQ(text.find("no CUDA device 1000: the driver shows "), 0U) << text;
  } else {
    EXPECT_EQ(text, "no CUDA device: " + obstacle + "; --device cpu measures without one");
  }
}

TEST(CudaObstacle, SaysHowToGetABuildWithCuda) {
#if FA2BENCH_HAVE_CUDA
  GTEST_SKIP() << "this build has CUDA";
#else
  EXPECT_EQ(cuda_obstacle(),
            "this build has no CUDA; install the CUDA toolkit (nvcc) and build again");
#endif
}

}  // namespace
}  // namespace fa2bench
