// SPDX-License-Identifier: MIT
#include "app/worker_main.hpp"

#include <optional>
#include <stop_token>
#include <string>

#include "app/shim_host.hpp"
#include "worker/messages.hpp"

namespace fa2bench {
namespace {

/// The next request; nothing when the session has hung up.
std::optional<Request> next_request(Channel& channel) {
  std::string text;
  const auto never = Channel::Clock::time_point::max();
  if (channel.receive(text, never) != Received::message) return std::nullopt;
  return read_request(text);
}

std::optional<ShimHost> open_host(Channel& channel, const Open& open) {
  try {
    std::optional<ShimHost> host(open_shim_host(open));
    if (!channel.send(to_message(Reply{host->opened()}))) return std::nullopt;
    return host;
  } catch (const Error& error) {
    // Nobody may be left to hear it; then there is nothing to do either.
    (void)channel.send(to_message(Reply{Refused{error.kind(), error.what()}}));
    return std::nullopt;
  }
}

}  // namespace

int serve(Channel& channel) {
  const std::optional<Request> first = next_request(channel);
  const Open* open = first ? std::get_if<Open>(&*first) : nullptr;
  if (open == nullptr) return static_cast<int>(ExitCode::internal);
  std::optional<ShimHost> host = open_host(channel, *open);
  while (host) {
    const std::optional<Request> request = next_request(channel);
    const RunRequest* run = request ? std::get_if<RunRequest>(&*request) : nullptr;
    if (run == nullptr) break;
    const auto tell = [&](const Phase& phase) { (void)channel.send(to_message(Reply{phase})); };
    const Ran ran = host->run(*run, tell, std::stop_token());
    if (!channel.send(to_message(Reply{ran})) || ran.device_lost) break;
  }
  return 0;
}

}  // namespace fa2bench
