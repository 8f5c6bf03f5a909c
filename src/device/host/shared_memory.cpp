// SPDX-License-Identifier: MIT
#include "device/host/shared_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace fa2bench {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw DeviceError(fmt::format("{}: {}", what, std::strerror(errno)), false);
}

/// An open file; DeviceMemory's deleter closes the one it takes.
class File {
 public:
  explicit File(int fd) : fd_(fd) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

/// Takes the file, which stays open while the memory lives.
DeviceMemory map(File& file, std::size_t length) {
  void* memory = ::mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (memory == MAP_FAILED) {
    throw OutOfMemory(fmt::format("host memory: {} refused", to_text(Bytes{length})));
  }
  return {memory, [length, fd = file.release()](void* p) {
            ::munmap(p, length);
            ::close(fd);
          }};
}

}  // namespace

SharedMemory share_host_memory(Bytes size) {
  const std::size_t length = std::max<std::size_t>(size.count, 1);
  File file(::memfd_create("ferrum-fa2-bench", MFD_CLOEXEC));
  if (file.get() < 0) refuse("memfd_create");
  if (::ftruncate(file.get(), static_cast<off_t>(length)) != 0) refuse("ftruncate");
  std::string handle = fmt::format("/proc/{}/fd/{}", ::getpid(), file.get());
  return {map(file, length), std::move(handle)};
}

DeviceMemory open_host_memory(const std::string& handle) {
  if (!handle.starts_with("/proc/")) {
    throw DeviceError(fmt::format("\"{}\" is no handle of shared host memory", handle), false);
  }
  File file(::open(handle.c_str(), O_RDWR | O_CLOEXEC));
  struct stat facts {};
  if (file.get() < 0 || ::fstat(file.get(), &facts) != 0) refuse("shared memory " + handle);
  return map(file, static_cast<std::size_t>(facts.st_size));
}

}  // namespace fa2bench
