// SPDX-License-Identifier: MIT
#include "cli/compare_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "cli/export_options.hpp"
#include "cli/option_values.hpp"

namespace fa2bench {

void add_compare_options(CLI::App& app, CompareOptions& options, std::vector<std::string>& files) {
  app.add_option(
         "FILE", files,
         "Result files: one or several baselines (five or more to measure a floor below the "
         "usual one), and last the new one")
      ->type_name("BASE.json … [--] NEW.json");
  app.add_option_function<std::string>(
         "--min-effect",
         [&options](const std::string& text) {
           options.min_effect = parse_percent("--min-effect", text, 0.01);
         },
         "Smallest difference that matters, in percent; 2 on a GPU, 10 on a CPU")
      ->type_name("PERCENT")
      ->group("Comparison");
  app.add_option_function<std::string>(
         "--confidence",
         [&options](const std::string& text) { options.confidence = parse_confidence(text); },
         "How sure all faster and slower verdicts together have to be, and each same by itself, "
         "in percent")
      ->type_name("PERCENT")
      ->default_str(fmt::format("{:g}", 100.0 * options.confidence))
      ->group("Comparison");
  app.add_flag("--force", options.force,
               "Compare also what is refused: the reasons are then warnings")
      ->group("Comparison");
  app.add_option("--shim-of-base", options.shim_of_base,
                 "Which shim of the baselines, where they have several; else those of equal labels")
      ->type_name("LABEL")
      ->group("What is compared");
  app.add_option("--shim-of-new", options.shim_of_new, "Which shim of NEW.json, likewise")
      ->type_name("LABEL")
      ->group("What is compared");
  app.add_option("--json", options.json, "JSON too: a file, or - for stdout")
      ->type_name("FILE")
      ->group("Output");
  add_export_options(app, options.exports, true);
}

void take_files(const std::vector<std::string>& files, CompareOptions& options) {
  if (files.size() < 2) {
    throw Error(ErrorKind::usage,
                "compare: expected two result files, compare BASE.json NEW.json, or several "
                "baselines, compare BASE1.json BASE2.json -- NEW.json");
  }
  options.baselines.assign(files.begin(), files.end() - 1);
  options.next = files.back();
}

std::vector<std::string> reversed_words(int argc, const char* const* argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const auto dashes = std::find(words.begin(), words.end(), "--");
  if (dashes != words.end() && words.front() == "compare") {
    if (words.end() - dashes != 2) {
      throw Error(ErrorKind::usage,
                  fmt::format("compare: {} words after --; expected one, NEW.json, and options "
                              "before it",
                              words.end() - dashes - 1));
    }
    words.erase(dashes);
  }
  std::reverse(words.begin(), words.end());
  return words;
}

}  // namespace fa2bench
