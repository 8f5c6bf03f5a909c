// SPDX-License-Identifier: MIT
#include "output/kernel_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "output/kernel_name.hpp"
#include "output/notes.hpp"
#include "output/table.hpp"

namespace fa2bench {
namespace {

/// "132 x 2"; sizes of 1 at the end say nothing.
std::string extent_text(const Extent& extent) {
  std::size_t count = extent.size();
  while (count > 1 && extent.at(count - 1) == 1) --count;
  return fmt::format(
      "{}", fmt::join(extent.begin(), extent.begin() + static_cast<std::ptrdiff_t>(count), " x "));
}

std::vector<std::string> launch_cells(const CommonLaunch& common, bool first) {
  const Launch& launch = common.launch;
  const std::string time = to_text(Microseconds(common.us));
  const std::string gap = first ? "-" : fmt::format("{:.2f} µs", common.gap_us);
  if (launch.kind != LaunchKind::kernel) {
    const std::string name = fmt::format("{} of {}", to_text(launch.kind), printable(launch.name));
    return {name, "-", "-", "-", "-", time, gap};
  }
  return {short_kernel_name(printable(launch.name)),
          extent_text(launch.grid),
          extent_text(launch.block),
          std::to_string(launch.registers),
          launch.shared.count == 0 ? "-" : to_text(launch.shared),
          time,
          gap};
}

class KernelTable {
 public:
  explicit KernelTable(bool many_shims) : many_shims_(many_shims), table_(columns(many_shims)) {}

  void add(const std::string& workload, const Run& run) {
    const KernelReport& report = *run.kernels;
    if (!report.obstacle.empty()) {
      notes_.add(fmt::format("no kernels of {}: {}", run.shim, report.obstacle), workload);
      return;
    }
    std::vector<std::string> head{workload};
    if (many_shims_) head.push_back(run.shim);
    const auto add_row = [&](std::vector<std::string> cells) {
      std::vector<std::string> row = head;
      row.insert(row.end(), cells.begin(), cells.end());
      table_.add(std::move(row));
      std::fill(head.begin(), head.end(), "");  // told once
    };
    for (const CommonLaunch& launch : report.launches) {
      add_row(launch_cells(launch, &launch == &report.launches.front()));
    }
    if (report.launches.size() > 1) {
      add_row({"from first start to last end", "", "", "", "",
               to_text(Microseconds(report.span_us)), ""});
    }
    most_calls_ = std::max(most_calls_, report.calls);
  }

  [[nodiscard]] std::string text() const {
    std::string text;
    if (most_calls_ > 0) {
      text += fmt::format("kernels of a call, medians of {} cold calls of their own\n\n{}",
                          most_calls_, table_.text());
    }
    const std::string notes = notes_.text();
    if (!text.empty() && !notes.empty()) text += '\n';
    return text + notes;
  }

 private:
  static std::vector<Table::Column> columns(bool many_shims) {
    using Align = Table::Align;
    std::vector<Table::Column> columns{{"workload", Align::left}};
    if (many_shims) columns.push_back({"shim", Align::left});
    columns.push_back({"kernel", Align::left});
    for (const char* title : {"grid", "block", "registers", "shared", "time", "gap before"}) {
      columns.push_back({title, Align::right});
    }
    return columns;
  }

  bool many_shims_;
  Table table_;
  Notes notes_;
  int most_calls_ = 0;
};

}  // namespace

std::string kernel_table(const Report& report) {
  KernelTable table(report.shims.size() > 1);
  for (const WorkloadResult& result : report.workloads) {
    for (const Run& run : result.runs) {
      if (run.kernels) table.add(result.workload.name, run);
    }
  }
  return table.text();
}

}  // namespace fa2bench
