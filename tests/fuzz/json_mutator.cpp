// SPDX-License-Identifier: MIT
// How libFuzzer changes an input of a target that reads JSON: half of the time as bytes, else as a
// tree, so that what comes out is still JSON and gets past the parser.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

// libFuzzer's own mutations.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using Json = nlohmann::ordered_json;
using Random = std::minstd_rand;

std::size_t below(Random& random, std::size_t end) { return random() % end; }

void list_values(Json& json, std::vector<Json*>& values) {
  values.push_back(&json);
  if (!json.is_structured()) return;
  for (Json& child : json) list_values(child, values);
}

Json interesting_number(Random& random) {
  const std::vector<Json> numbers{0,
                                  1,
                                  -1,
                                  2,
                                  15,
                                  16,
                                  17,
                                  1024,
                                  65536,
                                  1048576,
                                  16777216,
                                  std::numeric_limits<std::int32_t>::max(),
                                  std::numeric_limits<std::int32_t>::min(),
                                  std::numeric_limits<std::int64_t>::max(),
                                  std::numeric_limits<std::int64_t>::min(),
                                  std::numeric_limits<std::uint64_t>::max(),
                                  0.5,
                                  -0.0,
                                  1e300,
                                  -1e300,
                                  5e-324};
  return numbers[below(random, numbers.size())];
}

std::string mutated_text(std::string text) {
  const std::size_t size = text.size();
  text.resize(size + 16);
  text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, text.size()));
  return text;
}

/// Changes a member or an element: leaves it out, doubles it, or moves it.
void change_children(Json& json, Random& random) {
  const auto at = static_cast<std::ptrdiff_t>(below(random, json.size()));
  const auto other = static_cast<std::ptrdiff_t>(below(random, json.size()));
  if (json.is_object()) {
    json.erase(std::next(json.begin(), at));
    return;
  }
  switch (below(random, 3)) {
    case 0:
      json.erase(json.begin() + at);
      break;
    case 1:
      json.insert(json.begin() + at, Json(json[static_cast<std::size_t>(other)]));
      break;
    default:
      std::swap(json[static_cast<std::size_t>(at)], json[static_cast<std::size_t>(other)]);
  }
}

void change_scalar(Json& value, Random& random) {
  if (value.is_string()) {
    value = mutated_text(value.get<std::string>());
  } else if (value.is_boolean()) {
    value = !value.get<bool>();
  } else if (value.is_number_integer() && below(random, 2) == 0) {
    // Unsigned, where an overflow is defined.
    value = static_cast<std::int64_t>(value.get<std::uint64_t>() + below(random, 5) - 2);
  } else {
    value = interesting_number(random);
  }
}

void change(Json& root, Random& random) {
  std::vector<Json*> values;
  list_values(root, values);
  Json& value = *values[below(random, values.size())];
  Json& other = *values[below(random, values.size())];
  const std::size_t kind = below(random, 8);
  if (kind == 0) {
    value = nullptr;
  } else if (kind == 1) {
    value = Json(other);  // a copy first: the one may be inside the other
  } else if (kind == 2) {
    value = Json::array({Json(value)});
  } else if (value.is_structured() && !value.empty()) {
    change_children(value, random);
  } else {
    change_scalar(value, random);
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned int seed) {
  Random random(seed);
  if (below(random, 2) == 0) return LLVMFuzzerMutate(data, size, most);
  Json json = Json::parse(data, data + size, nullptr, false);
  if (json.is_discarded()) return LLVMFuzzerMutate(data, size, most);
  for (std::size_t changes = 1 + below(random, 3); changes > 0; --changes) change(json, random);
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
