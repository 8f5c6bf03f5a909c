// SPDX-License-Identifier: MIT
// A shim that calls another one and then takes longer, by a known part of a known time, to see
// which differences a comparison finds. Copies of one file differ by nothing but their names:
// slow_gpu_2.0.so takes 2.0 % of FA2BENCH_SLOW_BASE_US longer than slow_gpu_0.so does. That is a
// time for all batches, or a list of times of batches by their query tokens and longest context:
// 16/1024=25.5,4096/4096=226. FA2BENCH_SLOW_SHIM is the path of the shim that does the work.
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

#include "abi/ferrum_fa2_shim.h"
#include "delay.hpp"

namespace fa2bench::slow {
namespace {

using Forward = decltype(&ferrum_fa2_paged_varlen_fwd);
using Describe = decltype(&ferrum_fa2_shim_describe);

struct Settings {
  Forward forward = nullptr;
  Describe describe = nullptr;
  double part = 0.0;                      ///< of the base time
  std::map<std::string, double> base_us;  ///< of batches; "" of all
};

double number(const std::string& text, const std::string& what) {
  std::size_t used = 0;
  double value = -1.0;
  try {
    value = std::stod(text, &used);
  } catch (const std::logic_error&) {
    used = 0;
  }
  if (used != text.size() || !(value >= 0.0)) throw std::runtime_error(what + ": " + text);
  return value;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) throw std::runtime_error(std::string(name) + " is not set");
  return value;
}

/// Of slow_gpu_2.0.so: 2.0.
double percent_of_own_name() {
  Dl_info info{};
  static const char here = 0;
  if (::dladdr(&here, &info) == 0) throw std::runtime_error("dladdr knows no file");
  const std::string stem = std::filesystem::path(info.dli_fname).stem().string();
  return number(stem.substr(stem.rfind('_') + 1), "no percentage at the end of the file's name");
}

std::map<std::string, double> base_times_us() {
  const std::string name = "FA2BENCH_SLOW_BASE_US";
  std::istringstream list(variable(name.c_str()));
  std::map<std::string, double> times;
  for (std::string one; std::getline(list, one, ',');) {
    const std::size_t equals = one.find('=');
    const std::string batch = equals == std::string::npos ? "" : one.substr(0, equals);
    times[batch] = number(batch.empty() ? one : one.substr(equals + 1), name);
  }
  return times;
}

double delay_us(const Settings& settings, int total_q_tokens, int max_kv_len) {
  const std::string batch = std::to_string(total_q_tokens) + "/" + std::to_string(max_kv_len);
  auto time = settings.base_us.find(batch);
  if (time == settings.base_us.end()) time = settings.base_us.find("");
  if (time == settings.base_us.end()) throw std::runtime_error("no base time of batch " + batch);
  return settings.part * time->second;
}

Settings read_settings() {
  Settings settings;
  const std::string path = variable("FA2BENCH_SLOW_SHIM");
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(::dlerror());
  settings.forward = reinterpret_cast<Forward>(::dlsym(library, "ferrum_fa2_paged_varlen_fwd"));
  settings.describe = reinterpret_cast<Describe>(::dlsym(library, "ferrum_fa2_shim_describe"));
  if (settings.forward == nullptr || settings.describe == nullptr) {
    throw std::runtime_error(path + " lacks a symbol");
  }
  settings.base_us = base_times_us();
  settings.part = percent_of_own_name() / 100.0;
  return settings;
}

/// Read once. Throws std::runtime_error.
const Settings& settings() {
  static const Settings all = read_settings();
  return all;
}

int refuse(int code, const std::string& text, char* err_buf, std::size_t err_buf_len) {
  if (err_buf != nullptr && err_buf_len > 0) err_buf[text.copy(err_buf, err_buf_len - 1)] = '\0';
  return code;
}

}  // namespace
}  // namespace fa2bench::slow

extern "C" int ferrum_fa2_paged_varlen_fwd(const void* q, const void* k, const void* v, void* out,
                                           void* lse, const void* cu_seqlens_q,
                                           const void* seq_lens, const void* block_tables,
                                           int num_seqs, int total_q_tokens, int max_q_len,
                                           int max_kv_len, int num_heads, int num_kv_heads,
                                           int head_dim, int block_size, int max_blocks_per_seq,
                                           void* stream, char* err_buf, size_t err_buf_len) {
  using namespace fa2bench::slow;
  try {
    const Settings& all = settings();
    const int code =
        all.forward(q, k, v, out, lse, cu_seqlens_q, seq_lens, block_tables, num_seqs,
                    total_q_tokens, max_q_len, max_kv_len, num_heads, num_kv_heads, head_dim,
                    block_size, max_blocks_per_seq, stream, err_buf, err_buf_len);
    if (code != FERRUM_FA2_OK) return code;
    const std::string failure = delay(delay_us(all, total_q_tokens, max_kv_len), stream);
    if (failure.empty()) return FERRUM_FA2_OK;
    return refuse(FERRUM_FA2_LAUNCH_FAILED, failure, err_buf, err_buf_len);
  } catch (const std::exception& error) {
    return refuse(FERRUM_FA2_EXCEPTION, error.what(), err_buf, err_buf_len);
  }
}

/// Null, which is refused, where the settings are no good.
extern "C" const char* ferrum_fa2_shim_describe(void) {
  try {
    return fa2bench::slow::settings().describe();
  } catch (const std::exception&) {
    return nullptr;
  }
}
