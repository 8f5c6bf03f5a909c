// SPDX-License-Identifier: MIT
#include "output/result_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/text.hpp"
#include "output/constancy_notes.hpp"
#include "output/empty_row_notes.hpp"
#include "output/neighbour_notes.hpp"
#include "output/table.hpp"
#include "output/timing_notes.hpp"
#include "result/gates.hpp"

namespace fa2bench {
namespace {

std::string interval_text(const Timing& timing) {
  const Summary& summary = timing.device;
  if (!summary.median_interval || summary.median <= 0.0) return "-";
  const double half = (summary.median_interval->high - summary.median_interval->low) / 2.0;
  return fmt::format("±{:.2f} %{}", 100.0 * half / summary.median,
                     is_of_samples_only(timing) ? " *" : "");
}

std::string rate(std::optional<double> value) {
  if (!value) return "-";
  return *value >= 100.0 ? fmt::format("{:.0f}", *value) : fmt::format("{:.3g}", *value);
}

/// "310 in 10": samples, and the placements they were taken in if more than one.
std::string count_text(const Timing& timing) {
  const std::size_t trials = timing.samples.trials.size();
  const std::size_t samples = timing.samples.device_us.size();
  return trials > 1 ? fmt::format("{} in {}", samples, trials) : std::to_string(samples);
}

/// "step x 48": the mode, and how many calls its samples have.
std::string mode_text(const Samples& samples) {
  if (samples.calls == 1 || samples.mode == Mode::sustained) return to_text(samples.mode);
  return fmt::format("{} x {}", to_text(samples.mode), samples.calls);
}

std::string share_text(const Timing& timing) {
  if (timing.cache_resident) return "in cache";
  if (!timing.speed_of_light) return "-";
  return fmt::format("{:.1f} % {}", 100.0 * *timing.speed_of_light, timing.limit);
}

std::string device_line(const Report& report) {
  const DeviceFacts& device = report.device;
  std::string line = device.name;
  if (device.kind == DeviceKind::cuda) {
    line += fmt::format(", {} SMs, L2 {}", device.processors, to_text(device.l2));
    if (!device.driver.empty()) line += ", driver " + device.driver;
  } else {
    line += fmt::format(", {} logical CPUs, last-level cache {}", device.processors,
                        to_text(device.l2));
  }
  std::vector<std::string> ceilings;
  if (const auto read = report.ceilings.read_gb_per_s) {
    ceilings.push_back(fmt::format("read {:.3g} TB/s", *read / 1e3));
  }
  if (const auto matrix = report.ceilings.matrix_tflop_per_s) {
    ceilings.push_back(fmt::format("matrix {:.3g} TFLOP/s", *matrix));
  }
  if (!ceilings.empty()) line += "; measured ceilings: " + join(ceilings);
  return line;
}

/// What a lost worker said last, as a line of its own; "" if it said nothing.
std::string last_words(const Run& run) {
  const std::size_t end = run.output.find_last_not_of("\r\n \t");
  if (end == std::string::npos) return "";
  const std::size_t begin = run.output.find_last_of('\n', end);
  const std::size_t start = begin == std::string::npos ? 0 : begin + 1;
  constexpr std::size_t kMost = 200;
  return fmt::format("  its last words: {}\n",
                     printable(run.output.substr(start, std::min(kMost, end + 1 - start))));
}

/// A line that warns of times under a profiler; "" if there was none.
std::string profiler_note(const Report& report) {
  if (report.profiler.empty()) return "";
  return fmt::format("timed under {}: no baseline, and not to be compared\n", report.profiler);
}

std::string colored(const std::string& text, bool color) {
  return color ? "\033[31m" + text + "\033[0m" : text;
}

/// One line for each demand of the config that a shim does not meet.
std::string missed_demands(const Report& report, bool color) {
  std::string lines;
  for (const WorkloadResult& result : report.workloads) {
    for (const Run& run : result.runs) {
      for (const GateMiss& miss : gate_misses(report, result.workload, run)) {
        lines += fmt::format("{} · {} · {}\n", result.workload.name, run.shim,
                             colored(miss.reason, color));
      }
    }
  }
  return lines;
}

}  // namespace

std::string notes_of(const Report& report) {
  return neighbour_notes(report) + empty_row_notes(report) + constancy_notes(report) +
         timing_notes(report) + profiler_note(report);
}

std::string result_table(const Report& report, bool color) {
  const bool many_shims = report.shims.size() > 1;
  using Align = Table::Align;
  const char* time = report.device.kind == DeviceKind::cuda ? "GPU time" : "time";
  std::vector<Table::Column> columns{{"workload", Align::left}};
  if (many_shims) columns.push_back({"shim", Align::left});
  for (const char* title : {"mode", "status"}) columns.push_back({title, Align::left});
  for (const char* title : {time, "95 %", "samples", "host", "TB/s", "TFLOP/s", "of the limit"}) {
    columns.push_back({title, Align::right});
  }
  Table table(std::move(columns));
  std::string reasons;
  for (const WorkloadResult& result : report.workloads) {
    for (const Run& run : result.runs) {
      const auto add = [&](std::vector<std::string> rest) {
        std::vector<std::string> cells{result.workload.name};
        if (many_shims) cells.push_back(run.shim);
        cells.insert(cells.end(), rest.begin(), rest.end());
        table.add(std::move(cells));
      };
      for (const Timing& timing : run.timings) {
        add({mode_text(timing.samples), to_text(run.status),
             to_text(Microseconds(timing.device.median)), interval_text(timing), count_text(timing),
             to_text(Microseconds(timing.host.median)), rate(timing.tb_per_s),
             rate(timing.tflop_per_s), share_text(timing)});
      }
      for (const Untimed& mode : run.untimed) {
        add({to_text(mode.mode), to_text(mode.status), "-", "-", "-", "-", "-", "-", "-"});
        reasons += fmt::format("{} · {} · {}: {}\n", result.workload.name, run.shim,
                               colored(to_text(mode.mode), color), mode.reason);
      }
      if (run.timings.empty()) add({"-", to_text(run.status), "-", "-", "-", "-", "-", "-", "-"});
      if (!run.reason.empty()) {
        reasons += fmt::format("{} · {} · {}: {}\n", result.workload.name, run.shim,
                               colored(to_text(run.status), color && run.status != Status::ok),
                               run.reason);
        reasons += last_words(run);
      }
    }
  }
  reasons += missed_demands(report, color);
  std::string text = device_line(report) + "\n";
  for (const ShimRecord& shim : report.shims) {
    text += fmt::format("shim {}: {} ({})\n", shim.label, shim.path, shim.origin);
  }
  text += "\n" + table.text();
  if (!reasons.empty()) text += "\n" + reasons;
  const std::string notes = notes_of(report);
  if (!notes.empty()) text += "\n" + notes;
  return text;
}

}  // namespace fa2bench
