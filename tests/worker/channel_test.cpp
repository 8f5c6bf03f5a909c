// SPDX-License-Identifier: MIT
#include "worker/channel.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>
#include <thread>
#include <utility>

namespace fa2bench {
namespace {

const Channel::Clock::time_point kAlreadyOver{};
/// For what comes in any case; a test that waits for it in vain ends by ctest's time limit.
const auto kNever = Channel::Clock::time_point::max();

std::string frame(std::uint32_t length, const std::string& text) {
  std::string bytes = "fa2m";
  for (unsigned shift = 0; shift < 32; shift += 8) {
    bytes += static_cast<char>((length >> shift) & 0xFFU);
  }
  return bytes + text;
}

std::string frame(const std::string& text) {
  return frame(static_cast<std::uint32_t>(text.size()), text);
}

/// A channel, and the other end of its socket as bytes.
class ChannelTest : public testing::Test {
 protected:
  void SetUp() override {
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    channel_ = Channel(Descriptor(ends[0]));
    peer_ = Descriptor(ends[1]);
  }

  void put(const std::string& bytes) const {
    ASSERT_EQ(::send(peer_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  Received now() { return channel_.receive(text_, kAlreadyOver); }

  Channel channel_{Descriptor()};
  Descriptor peer_;
  std::string text_ = "untouched";
};

TEST_F(ChannelTest, TakesAWholeMessage) {
  put(frame("hello"));
  EXPECT_EQ(now(), Received::message);
  EXPECT_EQ(text_, "hello");
}

TEST_F(ChannelTest, TakesAnEmptyMessageAndOneWithNulBytes) {
  const std::string odd("\0fa2m\0\xFF\n", 8);
  put(frame("") + frame(odd));
  EXPECT_EQ(now(), Received::message);
  EXPECT_EQ(text_, "");
  EXPECT_EQ(now(), Received::message);
  EXPECT_EQ(text_, odd);
}

TEST_F(ChannelTest, SendsWhatItTakes) {
  Channel other(std::move(peer_));
  ASSERT_TRUE(channel_.send("one"));
  ASSERT_TRUE(channel_.send(""));
  EXPECT_EQ(other.receive(text_, kAlreadyOver), Received::message);
  EXPECT_EQ(text_, "one");
  EXPECT_EQ(other.receive(text_, kAlreadyOver), Received::message);
  EXPECT_EQ(text_, "");
  EXPECT_EQ(other.receive(text_, kAlreadyOver), Received::timeout);
}

TEST_F(ChannelTest, TakesOneAfterTheOtherWhatCameInOneRead) {
  put(frame("first") + frame("second") + frame("third").substr(0, 10));
  for (const char* expected : {"first", "second"}) {
    EXPECT_EQ(now(), Received::message);
    EXPECT_EQ(text_, expected);
  }
  EXPECT_EQ(now(), Received::timeout);
  put(frame("third").substr(10));
  EXPECT_EQ(now(), Received::message);
  EXPECT_EQ(text_, "third");
}

TEST_F(ChannelTest, KeepsWhatCameByteByByteOverTimeouts) {
  const std::string bytes = frame("slow");
  for (const char byte : bytes.substr(0, bytes.size() - 1)) {
    put(std::string(1, byte));
    EXPECT_EQ(now(), Received::timeout);
    EXPECT_EQ(text_, "untouched");
  }
  put(bytes.substr(bytes.size() - 1));
  EXPECT_EQ(now(), Received::message);
  EXPECT_EQ(text_, "slow");
}

TEST_F(ChannelTest, JoinsAHeaderThatIsSplitAnywhere) {
  for (std::size_t cut = 1; cut < 8; ++cut) {
    put(frame("abc").substr(0, cut));
    EXPECT_EQ(now(), Received::timeout) << cut;
    put(frame("abc").substr(cut) + frame("next"));
    EXPECT_EQ(now(), Received::message) << cut;
    EXPECT_EQ(text_, "abc") << cut;
    EXPECT_EQ(now(), Received::message) << cut;
    EXPECT_EQ(text_, "next") << cut;
  }
}

TEST_F(ChannelTest, KnowsGarbageByItsFirstByteAndStaysWithIt) {
  put("G");
  EXPECT_EQ(now(), Received::garbage);
  put(frame("too late"));
  EXPECT_EQ(now(), Received::garbage);
  EXPECT_EQ(text_, "untouched");
}

TEST_F(ChannelTest, KnowsGarbageAfterAGoodMessage) {
  put(frame("good") + "printf into the wrong descriptor\n");
  EXPECT_EQ(now(), Received::message);
  EXPECT_EQ(now(), Received::garbage);
}

TEST_F(ChannelTest, CallsALengthPastTheLimitGarbageBeforeItsTextComes) {
  put(frame(kMaxMessageBytes, ""));
  EXPECT_EQ(now(), Received::timeout);
  SetUp();
  put(frame(kMaxMessageBytes + 1, ""));
  EXPECT_EQ(now(), Received::garbage);
  SetUp();
  put(frame(0xFFFFFFFFU, ""));
  EXPECT_EQ(now(), Received::garbage);
}

TEST_F(ChannelTest, RefusesToSendATextPastTheLimit) {
  EXPECT_FALSE(channel_.send(std::string(std::size_t{kMaxMessageBytes} + 1, 'x')));
  ASSERT_TRUE(channel_.send("nothing of it went out"));
  Channel other(std::move(peer_));
  EXPECT_EQ(other.receive(text_, kAlreadyOver), Received::message);
  EXPECT_EQ(text_, "nothing of it went out");
}

TEST_F(ChannelTest, DropsAMessageThatThePeersEndCutShort) {
  put(frame("whole") + frame("cut short").substr(0, 12));
  peer_.reset();
  EXPECT_EQ(channel_.receive(text_, kNever), Received::message);
  EXPECT_EQ(text_, "whole");
  EXPECT_EQ(channel_.receive(text_, kNever), Received::closed);
  EXPECT_EQ(channel_.receive(text_, kNever), Received::closed);
  EXPECT_EQ(text_, "whole");
}

TEST_F(ChannelTest, IsClosedWithoutAnyByte) {
  peer_.reset();
  EXPECT_EQ(channel_.receive(text_, kNever), Received::closed);
}

TEST_F(ChannelTest, AsksToStopOnlyWhenNothingIsReadable) {
  int asked = 0;
  const auto stop = [&] {
    ++asked;
    return true;
  };
  put(frame("sent before the stop") + frame("half").substr(0, 9));
  EXPECT_EQ(channel_.receive(text_, kNever, stop), Received::message);
  EXPECT_EQ(text_, "sent before the stop");
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(channel_.receive(text_, kNever, stop), Received::stopped);
  EXPECT_EQ(asked, 1);
  put(frame("half").substr(9));
  EXPECT_EQ(channel_.receive(text_, kNever, stop), Received::message);
  EXPECT_EQ(text_, "half");
  EXPECT_EQ(asked, 1);
}

TEST_F(ChannelTest, TellsAClosedPeerRatherThanStop) {
  peer_.reset();
  EXPECT_EQ(channel_.receive(text_, kNever, [] { return true; }), Received::closed);
}

TEST_F(ChannelTest, GoesOnWhileStopSaysNo) {
  int asked = 0;
  const auto stop = [&] {
    if (++asked == 2) put(frame("after two questions"));
    return false;
  };
  EXPECT_EQ(channel_.receive(text_, kNever, stop), Received::message);
  EXPECT_EQ(asked, 2);
}

TEST_F(ChannelTest, SendsToADeadPeerInVainAndWithoutASignal) {
  const auto before = std::signal(SIGPIPE, SIG_DFL);  // would end this process
  peer_.reset();
  EXPECT_FALSE(channel_.send("anybody there?"));
  EXPECT_FALSE(channel_.send(std::string(1U << 20U, 'x')));
  std::signal(SIGPIPE, before);
}

TEST_F(ChannelTest, FailsWhenThePeerDiesInMidMessage) {
  std::thread peer([end = std::move(peer_)]() mutable {
    std::array<char, 1000> some{};
    EXPECT_GT(::recv(end.get(), some.data(), some.size(), 0), 0);
    end.reset();
  });
  EXPECT_FALSE(channel_.send(std::string(16U << 20U, 'x')));  // more than a socket holds
  peer.join();
}

TEST_F(ChannelTest, Carries50MiBBothWays) {
  std::string sent(50U << 20U, '\0');
  for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<char>(i * 31 + (i >> 16U));
  std::thread peer([end = std::move(peer_)]() mutable {
    Channel other(std::move(end));
    std::string text;
    ASSERT_EQ(other.receive(text, kNever), Received::message);
    EXPECT_TRUE(other.send(text));
  });
  EXPECT_TRUE(channel_.send(sent));
  EXPECT_EQ(channel_.receive(text_, kNever), Received::message);
  EXPECT_TRUE(text_ == sent);  // not EQ, which would print both
  peer.join();
}

TEST(DescriptorTest, ClosesOnceAndMoves) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  Descriptor first(ends[0]);
  Descriptor other(ends[1]);
  Descriptor second(std::move(first));
  EXPECT_EQ(second.get(), ends[0]);
  other = std::move(second);  // closes ends[1]
  EXPECT_EQ(other.get(), ends[0]);
  char byte = 0;
  EXPECT_EQ(::recv(other.get(), &byte, 1, 0), 0);  // the peer is closed
  const int number = other.release();
  EXPECT_EQ(other.get(), -1);
  EXPECT_EQ(::close(number), 0);
}

}  // namespace
}  // namespace fa2bench
