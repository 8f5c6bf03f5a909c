// SPDX-License-Identifier: MIT
// Any bytes from a worker's socket, cut anywhere. The first byte of an input says how many cuts
// follow, each of them the length of a piece less one; the rest is what the peer sends before it
// hangs up. However it is cut, the same messages come out.
#include "worker/channel.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fuzz_target.hpp"

namespace fa2bench::fuzz {
namespace {

struct Heard {
  std::vector<std::string> messages;
  Received end = Received::closed;
};

/// What the protocol says of a stream that is then closed: written apart from Channel.
Heard expected_of(std::string_view stream) {
  const std::string_view magic = "fa2m";
  Heard heard;
  while (!stream.empty()) {
    const std::string_view start = stream.substr(0, magic.size());
    if (!magic.starts_with(start)) {
      heard.end = Received::garbage;
      break;
    }
    if (stream.size() < 8) break;
    std::uint64_t length = 0;
    for (std::size_t i = 8; i-- > 4;) {
      length = length * 256 + static_cast<unsigned char>(stream[i]);
    }
    if (length > kMaxMessageBytes) {
      heard.end = Received::garbage;
      break;
    }
    if (stream.size() - 8 < length) break;
    heard.messages.emplace_back(stream.substr(8, length));
    stream.remove_prefix(8 + length);
  }
  return heard;
}

/// Takes all that is there. True while there may be more.
bool take_all(Channel& channel, Heard& heard) {
  const Channel::Clock::time_point over{};
  std::string text;
  while (true) {
    heard.end = channel.receive(text, over);
    if (heard.end != Received::message) return heard.end == Received::timeout;
    heard.messages.push_back(text);
  }
}

Heard hear(std::string_view cuts, std::string_view stream) {
  std::array<int, 2> ends{};
  require(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0, "socketpair");
  Channel channel{Descriptor(ends[0])};
  Descriptor peer(ends[1]);
  Heard heard;
  // A piece at least at the end; small ones, so that they fit the socket's buffer.
  for (std::size_t piece = 0; !stream.empty(); ++piece) {
    const std::size_t wanted =
        piece < cuts.size() ? 1 + static_cast<unsigned char>(cuts[piece]) : 16384;
    const std::string_view bytes = stream.substr(0, wanted);
    require(::send(peer.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
                static_cast<ssize_t>(bytes.size()),
            "send");
    stream.remove_prefix(bytes.size());
    if (!take_all(channel, heard)) return heard;
  }
  peer.reset();
  (void)take_all(channel, heard);
  return heard;
}

}  // namespace

bool feed(std::string_view input) {
  if (input.empty()) return false;
  const std::size_t count =
      std::min<std::size_t>(static_cast<unsigned char>(input[0]) % 32U, input.size() - 1);
  const std::string_view stream = input.substr(1 + count);
  const Heard expected = expected_of(stream);
  const Heard heard = hear(input.substr(1, count), stream);
  require(heard.messages == expected.messages, "the messages that were sent are heard");
  require(heard.end == expected.end, "the channel ends as the protocol says");
  return !heard.messages.empty() && heard.end == Received::closed;
}

}  // namespace fa2bench::fuzz
