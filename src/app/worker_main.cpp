// SPDX-License-Identifier: MIT
#include "app/worker_main.hpp"

#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>

#include "app/shim_host.hpp"
#include "worker/messages.hpp"
#include "worker/process.hpp"

namespace fa2bench {
namespace {

/// The next request; nothing when the session has hung up.
std::optional<Request> next_request(Channel& channel) {
  std::string text;
  const auto never = Channel::Clock::time_point::max();
  if (channel.receive(text, never) != Received::message) return std::nullopt;
  return read_request(text);
}

/// False if nobody can hear it. That the session is gone is nobody's concern any more; that it
/// lives and cannot be told is what it learns from the exit code.
bool tell(Channel& channel, const Reply& reply) { return channel.send(to_message(reply)); }

/// Tells what the last turn gave and waits. Without a session there is no further turn.
std::variant<Turn, TurnsOver> next_turn(Channel& channel, const Took& last) {
  if (!tell(channel, last)) return TurnsOver{Stop::interrupted};
  const std::optional<Request> request = next_request(channel);
  if (request) {
    if (const auto* turn = std::get_if<Turn>(&*request)) return *turn;
    if (const auto* over = std::get_if<TurnsOver>(&*request)) return *over;
  }
  return TurnsOver{Stop::interrupted};
}

}  // namespace

int serve(Channel& channel) {
  const std::optional<Request> first = next_request(channel);
  const Open* open = first ? std::get_if<Open>(&*first) : nullptr;
  if (open == nullptr) return static_cast<int>(ExitCode::internal);
  std::optional<ShimHost> host;
  try {
    std::variant<ShimHost, LookedAt> opened = open_shim_host(*open);
    if (auto* looked_at = std::get_if<LookedAt>(&opened)) {
      if (!tell(channel, looked_at->told)) return kSocketLostExit;
      const std::optional<Request> second = next_request(channel);
      const Open* wanted = second ? std::get_if<Open>(&*second) : nullptr;
      if (wanted == nullptr) return 0;
      host.emplace(load_shim(std::move(*looked_at), *wanted));
    } else {
      host.emplace(std::get<ShimHost>(std::move(opened)));
    }
  } catch (const Error& error) {
    return tell(channel, Refused{error.kind(), error.what()}) ? 0 : kSocketLostExit;
  }
  bool heard = tell(channel, host->opened());
  while (heard) {
    const std::optional<Request> request = next_request(channel);
    const RunRequest* run = request ? std::get_if<RunRequest>(&*request) : nullptr;
    if (run == nullptr) break;
    const auto tell_phase = [&](const Phase& phase) { (void)tell(channel, phase); };
    const Ran ran = host->run(*run, tell_phase, std::stop_token(),
                              [&](const Took& last) { return next_turn(channel, last); });
    heard = tell(channel, ran);
    if (ran.device_lost) break;
  }
  return heard ? 0 : kSocketLostExit;
}

}  // namespace fa2bench
