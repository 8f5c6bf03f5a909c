// SPDX-License-Identifier: MIT
// Any bytes as a result file. What is read is written, and from then on the text stays the same.
#include <string>

#include "fuzz_target.hpp"
#include "result/read_report.hpp"
#include "result/report_json.hpp"

namespace fa2bench::fuzz {
namespace {

std::string written_again(const std::string& text) {
  try {
    return report_json(read_report(parse_json("written.json", text)));
  } catch (const Error& error) {
    require(false, std::string("what was written is refused: ") + error.what());
  }
  return {};
}

}  // namespace

bool feed(std::string_view input) {
  try {
    const std::string once = report_json(read_report(parse_json("result.json", input)));
    const std::string twice = written_again(once);
    require(once == twice, "reading and writing changes a result:\n" + once + "\n" + twice);
    return true;
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::usage, "a bad result file is the user's");
    require_readable(error);
    return false;
  }
}

}  // namespace fa2bench::fuzz
