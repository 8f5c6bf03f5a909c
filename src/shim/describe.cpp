// SPDX-License-Identifier: MIT
#include "shim/describe.hpp"

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/json_document.hpp"
#include "base/text.hpp"

namespace fa2bench {
namespace {

constexpr int kMaxDimension = 65536;

std::vector<int> read_dimensions(const JsonReader& list) {
  std::vector<int> values;
  for (const JsonReader& element : list.elements()) {
    values.push_back(static_cast<int>(element.integer(1, kMaxDimension)));
  }
  if (values.empty()) list.fail(fmt::format("at least one integer, 1 … {}", kMaxDimension));
  return values;
}

ShimDescription read_description(const JsonReader& root) {
  root.require_keys({"name", "version", "memory", "head_dims", "block_sizes"});
  ShimDescription description;
  description.described = true;
  if (const auto name = root.find("name")) description.name = name->text();
  if (const auto version = root.find("version")) description.version = version->text();
  if (const auto memory = root.find("memory")) {
    description.device_memory = memory->one_of({"host", "device"}) == 1;
  }
  if (const auto dims = root.find("head_dims")) description.head_dims = read_dimensions(*dims);
  if (const auto sizes = root.find("block_sizes")) {
    description.block_sizes = read_dimensions(*sizes);
  }
  return description;
}

}  // namespace

ShimDescription parse_description(const std::filesystem::path& shim, const char* described) {
  const std::string where = fmt::format("shim {}: {}()", printable(shim.string()), kDescribeSymbol);
  if (described == nullptr) {
    throw Error(ErrorKind::environment,
                where + ": returned NULL; return a JSON text, or do not export it");
  }
  const std::string_view text(described, strnlen(described, kMaxDescriptionBytes));
  if (text.size() == kMaxDescriptionBytes) {
    throw Error(ErrorKind::environment,
                fmt::format("{}: no NUL in the first {} bytes; return a NUL-terminated JSON text",
                            where, kMaxDescriptionBytes));
  }
  try {
    const JsonDocument document = parse_json(where, text);
    return read_description(JsonReader(document));
  } catch (const Error& error) {  // the shim's fault, not the user's config
    throw Error(ErrorKind::environment, error.what());
  }
}

}  // namespace fa2bench
