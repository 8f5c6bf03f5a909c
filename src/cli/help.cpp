// SPDX-License-Identifier: MIT
#include "cli/help.hpp"

#include <memory>

#include "output/table.hpp"

namespace fa2bench {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kColumn = 32;  ///< where descriptions begin

class WrappingFormatter final : public CLI::Formatter {
 public:
  WrappingFormatter() { column_width(kColumn); }
  std::string make_option_desc(const CLI::Option* option) const override {
    return wrapped(CLI::Formatter::make_option_desc(option), kWidth - kColumn);
  }
};

constexpr const char* kMeasuring = R"(  ferrum-fa2-bench --config configs/decode.json
      the bundled shim of the device, a table and a result file in bench_results/
  ferrum-fa2-bench --config configs/decode.json --shim build/libfa2_shim.so
      your shim
  ferrum-fa2-bench --config configs/decode.json configs/prefill.json \
      --shim old=a.so --shim new=b.so
      two shims in turns on two configs: which is faster, and is it right?
  ferrum-fa2-bench --config configs/decode.json --mode cold,step,graph
      single calls, and the steps of a model, launched and replayed
  nsys profile -c nvtx -p timed@ferrum-fa2-bench ferrum-fa2-bench \
      --config configs/decode.json --profile-workload 'decode 1 x 4096'
      the timed calls of one workload under Nsight Systems; see Profiling in the README
)";

constexpr const char* kPlanning = R"(  ferrum-fa2-bench plan --config configs/long_context.json
      what the workloads need and cost; needs no device
)";

constexpr const char* kComparing =
    R"(  ferrum-fa2-bench --config configs/decode.json --output base.json
  ferrum-fa2-bench --config configs/decode.json --output out.json --shim build/libfa2_shim.so
  ferrum-fa2-bench compare base.json out.json
      two results: which is faster, and what else differs between the runs
)";

constexpr const char* kTesting = R"(  ferrum-fa2-bench selftest
      whether this machine's times can be trusted
)";

constexpr const char* kDiagnosing = R"(  ferrum-fa2-bench doctor
      what is here, what is missing, and how to get it
)";

constexpr const char* kAllCodes =
    R"(
Exit codes: 0 ok, 1 internal error, 2 usage or config, 3 environment, 4 a workload failed to run,
5 a result was wrong, 6 slower than the baseline or than the config demands, 7 inconclusive or
incomplete; of several the first of 3, 5, 4, 6, 7. A run stopped by a signal ends with 128 + signal.)";

}  // namespace

void set_help_layout(CLI::App& app) {
  const auto formatter = std::make_shared<WrappingFormatter>();
  app.formatter(formatter);
  for (CLI::App* command : app.get_subcommands({})) command->formatter(formatter);
}

std::string help_footer(const std::string& command) {
  const std::string examples = "Examples:\n";
  if (command == "run") return examples + kMeasuring + kAllCodes;
  if (command == "plan") return examples + kPlanning + "\nExit codes: 0 ok, 2 usage or config.";
  if (command == "compare") {
    return examples + kComparing +
           "\nExit codes: 0 ok, 2 usage or no result, 3 cannot be compared, 6 slower, 7 "
           "inconclusive or\nincomplete.";
  }
  if (command == "doctor") return examples + kDiagnosing + "\nExit codes: 0 ready, 2 usage, 3 not.";
  if (command == "selftest") {
    return examples + kTesting + "\nExit codes: 0 can be trusted, 2 usage, 3 not.";
  }
  return examples + kMeasuring + kPlanning + kComparing + kTesting + kDiagnosing + kAllCodes;
}

}  // namespace fa2bench
