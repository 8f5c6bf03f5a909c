// SPDX-License-Identifier: MIT
// Progress on stderr: one line that is redrawn on a terminal, plain lines elsewhere.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace fa2bench {

enum class ProgressStyle { none, lines, bar };

/// How progress shows: none if asked, a bar on a terminal, lines otherwise.
ProgressStyle choose_progress_style(bool quiet, bool no_progress, bool stderr_is_terminal);

class Progress {
 public:
  explicit Progress(ProgressStyle style) : style_(style), start_(Clock::now()) {}
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` of `total` steps are over, `now` is being done and is in `phase`. Lines are written
  /// once a step, the bar follows the phases.
  void show(std::size_t done, std::size_t total, const std::string& now,
            const std::string& phase = "");
  /// Removes the bar, so that other output starts on a clean line.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  ProgressStyle style_;
  Clock::time_point start_;
  bool drawn_ = false;
  std::string last_line_;
};

/// The bar's text, no longer than `width`: "[#####-----]  5/10  about 12 s left  decode 32 x 4096".
std::string progress_bar(std::size_t done, std::size_t total, double elapsed_s,
                         const std::string& now, std::size_t width);

}  // namespace fa2bench
