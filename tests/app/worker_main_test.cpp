// SPDX-License-Identifier: MIT
#include "app/worker_main.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "worker/messages.hpp"

namespace fa2bench {
namespace {

/// What a worker answers to the last of these; it must end after it.
Reply answer_to(const std::vector<Open>& opens) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  Channel session{Descriptor(ends[0])};
  Channel worker{Descriptor(ends[1])};
  for (const Open& open : opens) EXPECT_TRUE(session.send(to_message(Request{open})));
  EXPECT_EQ(::shutdown(ends[0], SHUT_WR), 0);  // nobody asks any more
  EXPECT_EQ(serve(worker), 0);
  std::string text;
  for (std::size_t i = 0; i < opens.size(); ++i) {
    EXPECT_EQ(session.receive(text, Channel::Clock::time_point::max()), Received::message);
  }
  return read_reply(text);
}

Open of_a_shim_that_is_not_there() { return {"cpu", {"/nowhere/shim.so"}, 0}; }

TEST(Worker, RefusesAShimThatWillNotLoad) {
  EXPECT_TRUE(std::holds_alternative<Refused>(answer_to({of_a_shim_that_is_not_there()})));
}

TEST(Worker, ThatIsOnlyLookedAtEndsWithoutAShim) {
  Open open = of_a_shim_that_is_not_there();
  open.measure_launch = true;
  open.most_launch_us = 0.0;
  const Reply reply = answer_to({open});
  ASSERT_TRUE(std::holds_alternative<Looked>(reply));
  EXPECT_EQ(std::get<Looked>(reply).launch_us, std::nullopt) << "a CPU has no launches";
}

TEST(Worker, ThatWasOnlyLookedAtLoadsAShimIfItIsGivenOne) {
  Open look = of_a_shim_that_is_not_there();
  look.measure_launch = true;
  look.most_launch_us = 0.0;
  const Reply reply = answer_to({look, of_a_shim_that_is_not_there()});
  EXPECT_TRUE(std::holds_alternative<Refused>(reply)) << "it tried to";
}

}  // namespace
}  // namespace fa2bench
