// SPDX-License-Identifier: MIT
#include "device/host/host_ceilings.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <thread>
#include <vector>

#include "base/parallel.hpp"

namespace fa2bench {
namespace {

constexpr int kRepeats = 5;

double fastest_seconds(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  double fastest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kRepeats; ++i) {
    const Clock::time_point start = Clock::now();
    work();
    fastest = std::min(fastest, Seconds(Clock::now() - start).count());
  }
  return fastest;
}

double read_gb_per_s(Bytes cache) {
  const std::size_t words = std::max<std::size_t>(cache.count * 4, 256U << 20U) / 8;
  std::vector<std::uint64_t> buffer(words, 0x0102030405060708ULL);
  std::atomic<std::uint64_t> total{0};
  const double seconds = fastest_seconds([&] {
    parallel_ranges(words, words / 64, [&](std::size_t first, std::size_t last) {
      std::uint64_t sum = 0;
      for (std::size_t i = first; i < last; ++i) sum += buffer[i];
      total += sum;
    });
  });
  return static_cast<double>(words) * 8.0 / seconds * 1e-9;
}

#if defined(__x86_64__)
constexpr int kRounds = 400000;
constexpr int kChains = 12;  // enough independent sums to hide the latency of a multiply-add

// Each returns a value so that the loop stays, and does 2 * lanes * kChains * kRounds FLOPs.
__attribute__((target("avx512f"))) float multiply_add_16() {
  __m512 sums[kChains];
  for (__m512& sum : sums) sum = _mm512_set1_ps(1.0F);
  const __m512 factor = _mm512_set1_ps(0.999999F);
  for (int i = 0; i < kRounds; ++i) {
    for (__m512& sum : sums) sum = _mm512_fmadd_ps(sum, factor, factor);
  }
  float total = 0.0F;
  for (const __m512& sum : sums) total += _mm512_cvtss_f32(sum);
  return total;
}
__attribute__((target("avx2,fma"))) float multiply_add_8() {
  __m256 sums[kChains];
  for (__m256& sum : sums) sum = _mm256_set1_ps(1.0F);
  const __m256 factor = _mm256_set1_ps(0.999999F);
  for (int i = 0; i < kRounds; ++i) {
    for (__m256& sum : sums) sum = _mm256_fmadd_ps(sum, factor, factor);
  }
  float total = 0.0F;
  for (const __m256& sum : sums) total += _mm256_cvtss_f32(sum);
  return total;
}

std::optional<double> multiply_add_tflop_per_s() {
  const bool wide = __builtin_cpu_supports("avx512f") != 0;
  if (!wide && (__builtin_cpu_supports("avx2") == 0 || __builtin_cpu_supports("fma") == 0)) {
    return std::nullopt;
  }
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  std::atomic<float> sink{0.0F};
  const double seconds = fastest_seconds([&] {
    parallel_for(cores, [&](std::size_t) { sink = wide ? multiply_add_16() : multiply_add_8(); });
  });
  const double flops = 2.0 * (wide ? 16 : 8) * kChains * kRounds * static_cast<double>(cores);
  return flops / seconds * 1e-12;
}
#else
std::optional<double> multiply_add_tflop_per_s() { return std::nullopt; }
#endif

}  // namespace

Ceilings measure_host_ceilings(Bytes cache) {
  Ceilings ceilings;
  ceilings.read_gb_per_s = read_gb_per_s(cache);
  ceilings.matrix_tflop_per_s = multiply_add_tflop_per_s();
  if (!ceilings.matrix_tflop_per_s) ceilings.note = "no multiply-add ceiling for this CPU";
  return ceilings;
}

}  // namespace fa2bench
