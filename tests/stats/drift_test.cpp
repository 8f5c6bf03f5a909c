// SPDX-License-Identifier: MIT
#include "stats/drift.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "stats/noise.hpp"

namespace fa2bench {
namespace {

using test::Noise;
using Time = std::function<double(Noise&, std::size_t call)>;

/// Calls until the series counts as settled, or `most`.
std::size_t calls_until_settled(const Time& time, std::uint64_t seed, std::size_t most = 1000) {
  Noise noise(seed);
  std::vector<double> samples;
  while (samples.size() < most && !settled(samples)) samples.push_back(time(noise, samples.size()));
  return samples.size();
}

/// Of 300 series; what a share of `part` of them stays within.
std::size_t calls_of_most(const Time& time, double part) {
  constexpr std::size_t kSeries = 300;
  std::vector<std::size_t> calls;
  for (std::size_t i = 0; i < kSeries; ++i) calls.push_back(calls_until_settled(time, i));
  std::sort(calls.begin(), calls.end());
  return calls[static_cast<std::size_t>(part * (kSeries - 1))];
}

/// 1.3 at first, 1 after `calls` calls.
double ramp(std::size_t call, std::size_t calls) {
  return 1.0 + 0.3 * std::max(0.0, 1.0 - static_cast<double>(call) / static_cast<double>(calls));
}

/// What an event pair can tell apart.
double quantized(double us) { return std::round(us / 0.032) * 0.032; }

TEST(Drift, IsNotOverBeforeThreeBlocks) {
  const std::vector<double> samples(36, 10.0);
  EXPECT_FALSE(settled({}));
  EXPECT_FALSE(settled(std::span(samples).first(35)));
  EXPECT_TRUE(settled(samples));
}

TEST(Drift, IsNotSeenInAStationarySeries) {
  const Time times = [](Noise& noise, std::size_t) { return 50.0 * test::sample_time(noise); };
  EXPECT_LE(calls_of_most(times, 0.75), 36U);
  EXPECT_LE(calls_of_most(times, 0.99), 48U);
}

TEST(Drift, IsNotSeenInStationaryTimesOfCoarseResolution) {
  for (const double scatter : {0.002, 0.01, 0.03, 0.1}) {
    for (const double level : {4.992, 5.0, 5.008}) {  // on a step of 0.032 and between two
      const Time times = [=](Noise& noise, std::size_t) {
        return quantized(level + scatter * noise.normal());
      };
      EXPECT_LE(calls_of_most(times, 0.99), 60U) << scatter << ' ' << level;
    }
  }
}

TEST(Drift, IsNotSeenInASteadySawtooth) {
  for (const std::size_t period : {2U, 3U, 5U, 7U}) {
    const Time times = [=](Noise& noise, std::size_t call) {
      return 50.0 * (1.0 + 0.01 * static_cast<double>(call % period)) * test::sample_time(noise);
    };
    EXPECT_LE(calls_of_most(times, 0.95), 48U) << period;
  }
}

TEST(Drift, LastsThroughARampOfTheClock) {
  for (const std::size_t calls : {50U, 100U, 200U}) {
    const Time times = [=](Noise& noise, std::size_t call) {
      return quantized(50.0 * ramp(call, calls) * test::sample_time(noise));
    };
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      const std::size_t settled_after = calls_until_settled(times, seed);
      EXPECT_GE(settled_after, calls) << calls << ' ' << seed;
      EXPECT_LE(settled_after, calls + 60) << calls << ' ' << seed;
    }
  }
}

TEST(Drift, LastsThroughAnExponentialApproach) {
  const Time times = [](Noise& noise, std::size_t call) {
    return 50.0 * (1.0 + 0.3 * std::exp(-static_cast<double>(call) / 40.0)) *
           std::exp(0.001 * noise.normal());
  };
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const double call = static_cast<double>(calls_until_settled(times, seed));
    EXPECT_LT(0.3 * std::exp(-call / 40.0), 0.004) << seed;  // what is left of it
  }
}

TEST(Drift, IsNotOverAtTheTurnOfAClock) {
  // Up for 100 calls, down for 100; the blocks on both sides of the turn are alike.
  const Time times = [](Noise& noise, std::size_t call) {
    const auto along = static_cast<double>(call);
    return 50.0 * (1.3 - 0.003 * std::min(100.0, std::abs(along - 100.0))) *
           std::exp(0.001 * noise.normal());
  };
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    EXPECT_GE(calls_until_settled(times, seed), 200U) << seed;
  }
}

TEST(Drift, LastsThroughAStep) {
  std::vector<double> samples(24, 100.0);
  samples.insert(samples.end(), 12, 103.0);
  EXPECT_FALSE(settled(samples));
  samples.insert(samples.end(), 12, 103.0);
  EXPECT_FALSE(settled(samples));
  samples.insert(samples.end(), 12, 103.0);
  EXPECT_TRUE(settled(samples));
}

TEST(Drift, IsNotMistakenForOutliers) {
  std::vector<double> samples(36, 100.0);
  samples[3] = samples[17] = samples[32] = 180.0;
  EXPECT_TRUE(settled(samples));
}

}  // namespace
}  // namespace fa2bench
