// SPDX-License-Identifier: MIT
#include "worker/channel.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace fa2bench {
namespace {

constexpr std::string_view kMagic = "fa2m";
constexpr std::size_t kHeader = 8;

std::string header(std::uint32_t length) {
  std::string bytes(kMagic);
  for (unsigned shift = 0; shift < 32; shift += 8) {
    bytes += static_cast<char>((length >> shift) & 0xFFU);
  }
  return bytes;
}

std::uint32_t length_of(std::string_view head) {
  std::uint32_t length = 0;
  for (unsigned i = 0; i < 4; ++i) {
    length |= static_cast<std::uint32_t>(static_cast<unsigned char>(head[4 + i])) << (8 * i);
  }
  return length;
}

bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace

void Descriptor::reset() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

bool Channel::send(std::string_view text) {
  if (text.size() > kMaxMessageBytes) return false;
  return send_all(socket_.get(), header(static_cast<std::uint32_t>(text.size()))) &&
         send_all(socket_.get(), text);
}

Received Channel::take(std::string& text) {
  const std::size_t known = std::min(buffer_.size(), kMagic.size());
  if (std::string_view(buffer_).substr(0, known) != kMagic.substr(0, known)) {
    return Received::garbage;
  }
  if (buffer_.size() < kHeader) return Received::timeout;
  const std::uint32_t length = length_of(buffer_);
  if (length > kMaxMessageBytes) return Received::garbage;
  if (buffer_.size() < kHeader + length) return Received::timeout;
  text.assign(buffer_, kHeader, length);
  buffer_.erase(0, kHeader + length);
  return Received::message;
}

Received Channel::receive(std::string& text, Clock::time_point deadline,
                          const std::function<bool()>& stop) {
  constexpr std::chrono::milliseconds kTick{100};
  std::array<char, 1U << 16U> chunk{};
  while (true) {
    const Received taken = take(text);
    if (taken != Received::timeout) return taken;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    const auto patience = std::clamp(left, std::chrono::milliseconds(0), kTick);
    // Who has nothing else to look at sleeps: while others are timed, it must not wake.
    const bool for_ever = !stop && deadline == Clock::time_point::max();
    pollfd waiting{socket_.get(), POLLIN, 0};
    const int ready = ::poll(&waiting, 1, for_ever ? -1 : static_cast<int>(patience.count()));
    if (ready < 0 && errno != EINTR) return Received::closed;
    if (ready <= 0) {
      // Only when there is nothing to read: what was sent before a stop is still taken.
      if (stop && stop()) return Received::stopped;
      if (left.count() <= 0) return Received::timeout;
      continue;
    }
    const ssize_t got = ::recv(socket_.get(), chunk.data(), chunk.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Received::closed;
    buffer_.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace fa2bench
