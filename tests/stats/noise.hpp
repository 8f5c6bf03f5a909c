// SPDX-License-Identifier: MIT
// Simulated times: seeded, the same with every library.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "base/random.hpp"

namespace fa2bench::test {

class Noise {
 public:
  explicit Noise(std::uint64_t seed) : rng_(seed, 0) {}

  /// In (0, 1).
  double uniform() { return (static_cast<double>(rng_()) + 0.5) * 0x1p-32; }
  /// Standard normal (Box and Muller).
  double normal() {
    if (spare_) {
      spare_ = false;
      return second_;
    }
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    const double angle = 2.0 * std::numbers::pi * uniform();
    second_ = radius * std::sin(angle);
    spare_ = true;
    return radius * std::cos(angle);
  }
  /// Student's t with 3 degrees of freedom: heavy tails.
  double heavy() {
    double squares = 0.0;
    for (int i = 0; i < 3; ++i) {
      const double z = normal();
      squares += z * z;
    }
    return normal() / std::sqrt(squares / 3.0);
  }

 private:
  CounterRng rng_;
  bool spare_ = false;
  double second_ = 0.0;
};

/// Times as a GPU gives them: a lognormal scatter of 0.5 % around 1, and 1.5 % of the samples 20 %
/// too long.
inline constexpr double kOutliers = 0.015;
inline constexpr double kScatter = 0.005;
inline double sample_time(Noise& noise) {
  const double time = std::exp(kScatter * noise.normal());
  return noise.uniform() < kOutliers ? 1.2 * time : time;
}
/// Their median: the quantile 0.5 / (1 - kOutliers) of the scatter alone, as all outliers lie above
/// it; 0.0190883 is that quantile of the standard normal.
inline const double kMedianTime = std::exp(kScatter * 0.0190883);

}  // namespace fa2bench::test
