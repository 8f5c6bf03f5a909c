// SPDX-License-Identifier: MIT
// The other process of the self-test: it opens memory that was shared with it.
#pragma once

#include <filesystem>
#include <string>

#include "app/self_test.hpp"
#include "worker/process.hpp"

namespace fa2bench {

/// Started before this process has a device of its own, of which nothing may go over.
class SelfTestPeer {
 public:
  /// `program`: this tool's own binary. Throws Error(environment).
  explicit SelfTestPeer(const std::filesystem::path& program);
  /// See SharingPeer; `device` is the text of --device for the device that shares.
  PeerAnswer ask(const std::string& device, const std::string& handle);

 private:
  ChildProcess child_;
};

/// The program of that process: answers once. Returns its exit code.
int serve_self_test(Channel& channel);

}  // namespace fa2bench
