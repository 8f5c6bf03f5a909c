// SPDX-License-Identifier: MIT
// Any bytes as what a shim says of itself, and, line by line, as values of --shim.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "fuzz_target.hpp"
#include "shim/describe.hpp"
#include "shim/locate.hpp"

namespace fa2bench::fuzz {
namespace {

void check_dimensions(const std::vector<int>& dimensions) {
  require(!dimensions.empty(), "a dimension is known");
  require(*std::min_element(dimensions.begin(), dimensions.end()) >= 1, "it is positive");
}

bool describe(std::string_view input) {
  try {
    const ShimDescription description =
        parse_description("/no/shim.so", std::string(input).c_str());
    require(description.described, "a shim that is described says so");
    check_dimensions(description.head_dims);
    check_dimensions(description.block_sizes);
    return true;
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::environment, "a bad description is the shim's fault");
    require_readable(error);
    return false;
  }
}

std::vector<std::string> lines_of(std::string_view input) {
  constexpr std::size_t kMostLines = 16;
  std::vector<std::string> lines;
  while (!input.empty() && lines.size() < kMostLines) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    lines.emplace_back(input.substr(0, end));
    input.remove_prefix(std::min(end + 1, input.size()));
  }
  return lines;
}

void locate(const std::vector<std::string>& arguments) {
  ShimSources sources;
  sources.arguments = arguments;
  sources.executable = "/no/bin/ferrum-fa2-bench";
  sources.device_kind = "cpu";
  sources.current_folder = "/no/folder";
  try {
    const std::vector<ShimRequest> requests = locate_shims(sources);
    require(requests.size() == arguments.size(), "one shim for each argument");
    std::set<std::string> labels;
    for (const ShimRequest& request : requests) {
      require(request.path.is_absolute(), "a path is absolute");
      require(!request.label.empty(), "a shim has a label");
      require(printable(request.label) == request.label, "a label can be printed");
      require(labels.insert(request.label).second, "labels are distinct: " + request.label);
    }
  } catch (const Error& error) {
    require_readable(error);
  }
}

}  // namespace

bool feed(std::string_view input) {
  locate(lines_of(input));
  return describe(input);
}

}  // namespace fa2bench::fuzz
