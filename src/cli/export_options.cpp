// SPDX-License-Identifier: MIT
#include "cli/export_options.hpp"

#include <cstddef>

namespace fa2bench {

void add_export_options(CLI::App& app, ExportPaths& paths, bool of_files) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const ExportFormat& format = export_formats().at(i);
    if (of_files && !format.of_files) continue;
    app.add_option(format.option, paths.at(i), format.description)
        ->type_name("FILE")
        ->group("Output");
  }
}

}  // namespace fa2bench
