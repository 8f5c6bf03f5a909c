// SPDX-License-Identifier: MIT
// Any bytes as a message to a worker and as one from it. A message that reads is written, and from
// then on the text stays the same.
#include <string>

#include "fuzz_target.hpp"
#include "worker/messages.hpp"

namespace fa2bench::fuzz {
namespace {

/// `read` is read_request or read_reply.
template <typename Read>
bool feed_to(Read&& read, std::string_view input) {
  const std::string text(input);
  std::string once;
  try {
    once = to_message(read(text));
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::usage, "a bad message is a usage error");
    require_readable(error);
    return false;
  }
  try {
    const std::string twice = to_message(read(once));
    require(once == twice, "reading and writing changes a message:\n" + once + "\n" + twice);
  } catch (const Error& error) {
    require(false, std::string("what was written is refused: ") + error.what() + "\n" + once);
  }
  return true;
}

}  // namespace

bool feed(std::string_view input) {
  const bool request = feed_to(read_request, input);
  const bool reply = feed_to(read_reply, input);
  require(!(request && reply), "a message has one direction");
  return request || reply;
}

}  // namespace fa2bench::fuzz
