// SPDX-License-Identifier: MIT
// Texts over a socket pair, whole or not at all: the transport between the session and a worker.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace fa2bench {

/// A file descriptor with an owner.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      reset();
      fd_ = other.release();
    }
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] int release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }
  void reset();

 private:
  int fd_ = -1;
};

/// Largest text that is sent or taken.
inline constexpr std::uint32_t kMaxMessageBytes = 256U << 20U;

enum class Received {
  message,  ///< `text` is a whole message
  timeout,  ///< nothing whole came in time; what came is kept for the next call
  closed,   ///< the peer is gone; a message that was cut short is dropped
  garbage,  ///< the peer sent what is no message; the channel is of no more use
  stopped,  ///< `stop` said so
};

/// One end of a stream socket. Frames: four bytes "fa2m", the length as 32-bit little endian, text.
/// Not thread-safe.
class Channel {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Channel(Descriptor socket) : socket_(std::move(socket)) {}

  /// False if the peer is gone or the text is too long. Blocks while the peer does not read.
  [[nodiscard]] bool send(std::string_view text);
  /// Waits until `deadline`; asks `stop`, if given, about ten times a second.
  [[nodiscard]] Received receive(std::string& text, Clock::time_point deadline,
                                 const std::function<bool()>& stop = {});

 private:
  /// Takes a whole message out of `buffer_`, if there is one.
  [[nodiscard]] Received take(std::string& text);

  Descriptor socket_;
  std::string buffer_;
};

}  // namespace fa2bench
