// SPDX-License-Identifier: MIT
#include "app/self_test_peer.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>

#include "base/error.hpp"
#include "base/text.hpp"
#include "device/select.hpp"

namespace fa2bench {
namespace {

// One question, "<device> <handle>", and one answer: "found <decimal>" or "refused <reason>".
constexpr std::string_view kFound = "found ";
constexpr std::string_view kRefusal = "refused ";

std::string answer_to(const std::string& question) {
  const std::size_t space = question.find(' ');
  if (space == std::string::npos) return fmt::format("{}no such question", kRefusal);
  try {
    const auto device = open_device(parse_device(question.substr(0, space))).device;
    const DeviceMemory memory = device->open_shared(question.substr(space + 1));
    std::uint64_t tag = 0;
    device->download(&tag, memory.get(), {sizeof tag});
    const std::uint64_t reply = ~tag;
    device->upload(memory.get(), &reply, {sizeof reply});
    return fmt::format("{}{}", kFound, tag);
  } catch (const std::runtime_error& error) {
    return fmt::format("{}{}", kRefusal, error.what());
  }
}

}  // namespace

SelfTestPeer::SelfTestPeer(const std::filesystem::path& program) : child_(program, {"peer"}) {}

PeerAnswer SelfTestPeer::ask(const std::string& device, const std::string& handle) {
  constexpr std::chrono::seconds kPatience{60};  // a CUDA context can take long
  std::string text;
  if (child_.channel().send(fmt::format("{} {}", device, handle)) &&
      child_.channel().receive(text, Channel::Clock::now() + kPatience) == Received::message) {
    PeerAnswer answer;
    if (text.starts_with(kRefusal)) {
      answer.obstacle = printable(text.substr(kRefusal.size()));
      return answer;
    }
    const char* end = text.data() + text.size();
    if (text.starts_with(kFound) &&
        std::from_chars(text.data() + kFound.size(), end, answer.found).ptr == end) {
      return answer;
    }
  }
  throw DeviceError("the second process did not answer", false);
}

int serve_self_test(Channel& channel) {
  std::string question;
  if (channel.receive(question, Channel::Clock::time_point::max()) != Received::message) return 0;
  return channel.send(answer_to(question)) ? 0 : static_cast<int>(ExitCode::internal);
}

}  // namespace fa2bench
