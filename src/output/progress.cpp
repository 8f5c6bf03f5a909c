// SPDX-License-Identifier: MIT
#include "output/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace fa2bench {
namespace {

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

/// A lost message is no reason to end a run, so faults of stderr are passed over.
void say(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

std::string time_left(std::size_t done, std::size_t total, double elapsed_s) {
  if (done == 0) return "";
  const double left = elapsed_s / static_cast<double>(done) * static_cast<double>(total - done);
  if (left >= 90.0) return fmt::format("about {:.0f} min left  ", left / 60.0);
  return fmt::format("about {:.0f} s left  ", left);
}

}  // namespace

ProgressStyle choose_progress_style(bool quiet, bool no_progress, bool stderr_is_terminal) {
  if (quiet || no_progress) return ProgressStyle::none;
  return stderr_is_terminal ? ProgressStyle::bar : ProgressStyle::lines;
}

std::string progress_bar(std::size_t done, std::size_t total, double elapsed_s,
                         const std::string& now, std::size_t width) {
  constexpr std::size_t kCells = 20;
  const std::size_t filled = total == 0 ? kCells : std::min(kCells, kCells * done / total);
  std::string text = fmt::format("[{}{}] {:>3}/{}  {}{}", std::string(filled, '#'),
                                 std::string(kCells - filled, '-'), done, total,
                                 time_left(done, total, elapsed_s), now);
  // Cut by code points, so that no character is split.
  std::size_t shown = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
    if (starts && ++shown > width) {
      text.resize(i);
      break;
    }
  }
  return text;
}

void Progress::show(std::size_t done, std::size_t total, const std::string& now,
                    const std::string& phase) {
  if (style_ == ProgressStyle::lines) {
    std::string line = fmt::format("[{}/{}] {}\n", done, total, now);
    if (line != last_line_) say(line);
    last_line_ = std::move(line);
  } else if (style_ == ProgressStyle::bar) {
    const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
    const std::string text = phase.empty() ? now : now + ": " + phase;
    say("\r\033[K" + progress_bar(done, total, elapsed, text, terminal_width() - 1));
    drawn_ = true;
  }
}

void Progress::finish() {
  if (!drawn_) return;
  say("\r\033[K");
  drawn_ = false;
}

}  // namespace fa2bench
