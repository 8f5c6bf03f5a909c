// SPDX-License-Identifier: MIT
#include "result/json_text.hpp"

#include <algorithm>

namespace fa2bench {
namespace {

using Json = nlohmann::ordered_json;

bool is_flat(const Json& array) {
  return std::none_of(array.begin(), array.end(),
                      [](const Json& element) { return element.is_structured(); });
}

void write(const Json& json, std::size_t indent, std::string& text) {
  const std::string inner(indent + 2, ' ');
  if (json.is_object() && !json.empty()) {
    text += "{\n";
    bool first = true;
    for (const auto& [key, value] : json.items()) {
      if (!first) text += ",\n";
      first = false;
      text += inner + Json(key).dump() + ": ";
      write(value, indent + 2, text);
    }
    text += "\n" + std::string(indent, ' ') + "}";
  } else if (json.is_array() && !is_flat(json)) {
    text += "[\n";
    bool first = true;
    for (const Json& element : json) {
      if (!first) text += ",\n";
      first = false;
      text += inner;
      write(element, indent + 2, text);
    }
    text += "\n" + std::string(indent, ' ') + "]";
  } else {
    text += json.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
}

}  // namespace

std::string pretty_json(const nlohmann::ordered_json& json) {
  std::string text;
  write(json, 0, text);
  text += '\n';
  return text;
}

}  // namespace fa2bench
