// SPDX-License-Identifier: MIT
// Samples for a profiler: what it records must be the calls and nothing else.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "measure/fake_device.hpp"
#include "measure/sampling.hpp"

namespace fa2bench::test {
namespace {

double one_microsecond(std::size_t /*call*/) { return 1.0; }

/// What is done round calls shows in `log`: 'b' before, 'p' passes, 'c' the call.
struct Logged {
  std::string log;
  int calls = 0;
  int fails_at = 0;   ///< call that returns a code
  int throws_at = 0;  ///< call that the device is lost in
  int wrong_at = 0;   ///< which look at the outputs finds them wrong
  int looks = 0;

  Series series(Mode mode = Mode::cold) {
    Series series;
    series.mode = mode;
    series.cache = mode == Mode::cold ? CacheState::swept : CacheState::rotated;
    series.call = [this] {
      log += 'c';
      if (++calls == throws_at) throw DeviceError("lost", true);
      return calls == fails_at ? 4 : 0;
    };
    series.before = [this] { log += 'b'; };
    series.passes = [this] {
      log += 'p';
      return ++looks != wrong_at;
    };
    return series;
  }
};

Samples profiled(FakeDevice& device, const Series& series, const std::stop_token& stop = {}) {
  return take_profiled(device, series, profiling_limits({}), stop);
}

TEST(Profiled, RecordsTenPlainCallsAfterTheWarmUp) {
  FakeDevice device(one_microsecond);
  device.give_gate([](std::size_t) { return false; });
  Logged logged;
  const Samples samples = profiled(device, logged.series());
  EXPECT_EQ(device.events(), "ccc<cccccccccc>");
  EXPECT_EQ(logged.log, "bcpbcpbcpb" + std::string(10, 'c') + "p");
  EXPECT_EQ(samples.device_us, std::vector<double>(10, 1.0));
  EXPECT_EQ(samples.host_us.size(), 10U);
  ASSERT_EQ(samples.trials.size(), 1U);
  EXPECT_EQ(samples.trials[0].samples, 10U);
  EXPECT_EQ(samples.trials[0].warm_up_calls, 3U);
  EXPECT_EQ(samples.stop, Stop::max_samples);
  EXPECT_FALSE(samples.gated);
}

TEST(Profiled, SaysThatNothingWasSweptOrThatLayersWereRotated) {
  FakeDevice device(one_microsecond);
  Logged logged;
  const Samples cold = profiled(device, logged.series());
  EXPECT_EQ(cold.mode, Mode::cold);
  EXPECT_EQ(cold.cache, CacheState::as_left);
  EXPECT_EQ(profiled(device, logged.series(Mode::step)).cache, CacheState::rotated);
}

TEST(Profiled, ClosesTheBracketAfterACallThatFails) {
  FakeDevice device(one_microsecond);
  Logged logged;
  logged.fails_at = 5;
  const Samples samples = profiled(device, logged.series());
  EXPECT_EQ(device.events(), "ccc<cc>");
  EXPECT_EQ(samples.stop, Stop::call_failed);
  EXPECT_EQ(samples.code, 4);
}

TEST(Profiled, ClosesTheBracketIfTheDeviceIsLost) {
  FakeDevice device(one_microsecond);
  Logged logged;
  logged.throws_at = 5;
  EXPECT_THROW(profiled(device, logged.series()), DeviceError);
  EXPECT_EQ(device.events(), "ccc<cc>");
}

TEST(Profiled, RecordsNothingOfAShimThatFailsOrIsWrongBefore) {
  for (const bool fails : {true, false}) {
    FakeDevice device(one_microsecond);
    Logged logged;
    (fails ? logged.fails_at : logged.wrong_at) = 2;
    const Samples samples = profiled(device, logged.series());
    EXPECT_EQ(device.events(), "cc");
    EXPECT_EQ(samples.stop, fails ? Stop::call_failed : Stop::call_wrong);
    EXPECT_TRUE(samples.device_us.empty());
  }
}

TEST(Profiled, LooksAtWhatTheLastCallLeft) {
  FakeDevice device(one_microsecond);
  Logged logged;
  logged.wrong_at = 4;
  EXPECT_EQ(profiled(device, logged.series()).stop, Stop::call_wrong);
}

TEST(Profiled, EndsAtAStopRequest) {
  FakeDevice device(one_microsecond);
  std::stop_source stop;
  Logged logged;
  Series series = logged.series();
  series.call = [&] {
    if (++logged.calls == 6) stop.request_stop();
    return 0;
  };
  const Samples samples = profiled(device, series, stop.get_token());
  EXPECT_EQ(device.events(), "ccc<ccc>");
  EXPECT_EQ(samples.stop, Stop::interrupted);
  EXPECT_EQ(samples.device_us.size(), 3U);
}

}  // namespace
}  // namespace fa2bench::test
