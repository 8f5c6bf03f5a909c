// SPDX-License-Identifier: MIT
#include "base/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "base/error.hpp"

namespace fa2bench {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  throw Error(ErrorKind::environment, fmt::format("cannot write {}: {}", path.string(), why));
}

/// A file descriptor that closes itself; close errors matter, so success paths call close().
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool close() {
    const int fd = fd_;
    fd_ = -1;
    return ::close(fd) == 0;
  }

 private:
  int fd_;
};

/// The file that `path` leads to. /dev/stdout is a link too, and must stay one.
std::filesystem::path target_of(const std::filesystem::path& path) {
  std::error_code code;
  if (!std::filesystem::is_symlink(path, code)) return path;
  std::filesystem::path target = std::filesystem::weakly_canonical(path, code);
  return code ? path : target;
}

/// Whether a device takes data, told without writing any. A pipe may have no reader yet.
bool takes_data(const std::filesystem::path& path) {
  std::error_code code;
  if (!std::filesystem::is_character_file(path, code)) return ::access(path.c_str(), W_OK) == 0;
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  return file.get() >= 0 && ::write(file.get(), "", 0) == 0;
}

/// A pipe without a reader is an error: one who went away would be waited for without end.
int open_stream(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd >= 0) ::fcntl(fd, F_SETFL, 0);  // from here on waiting for the reader is right
  return fd;
}

bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

/// Creates the temporary file beside `path`; its name goes to `name`. Where the file system can, it
/// has no name yet (""): then nothing stays behind if this process is killed while it writes.
int make_temporary(const std::filesystem::path& path, std::string& name) {
  const int unnamed =
      ::open(folder_of(path).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (unnamed >= 0) return unnamed;
  name = path.string() + ".XXXXXX";
  return ::mkostemp(name.data(), O_CLOEXEC);
}

/// Names a file that has no name yet; its name goes to `name`. No call gives it the name of another
/// file at once: who is killed before the rename that must follow leaves a second file behind,
/// whole.
bool give_name(int fd, const std::filesystem::path& path, std::string& name) {
  const std::string own = fmt::format("/proc/self/fd/{}", fd);
  std::random_device random;
  constexpr int kTries = 10;
  for (int i = 0; i < kTries; ++i) {
    const std::string chosen = fmt::format("{}.{:08x}", path.string(), random());
    if (::linkat(AT_FDCWD, own.c_str(), AT_FDCWD, chosen.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      name = chosen;
      return true;
    }
    if (errno != EEXIST) break;
  }
  return false;
}

std::string explain(const std::filesystem::path& path) {
  const int error = errno;
  const std::string reason = std::strerror(error);
  const std::filesystem::path folder = folder_of(path);
  std::error_code code;
  if (!std::filesystem::exists(folder, code)) {
    return fmt::format("the folder {} does not exist; create it or choose another",
                       folder.string());
  }
  if (error == ENOENT) {
    return fmt::format("no file can be made in {}; choose another folder", folder.string());
  }
  return reason + "; choose another file";
}

}  // namespace

bool is_stream(const std::filesystem::path& path) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

void check_writable(const std::filesystem::path& path) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) {
    refuse(path, "it is a directory; name a file in it");
  }
  if (is_stream(path)) {
    if (!takes_data(path)) refuse(path, explain(path));
    return;
  }
  std::string name;
  const Descriptor file(make_temporary(target_of(path), name));
  if (file.get() < 0) refuse(path, explain(path));
  if (!name.empty()) ::unlink(name.c_str());
}

void write_atomically(const std::filesystem::path& path, std::string_view content) {
  if (is_stream(path)) {
    Descriptor file(open_stream(path));
    if (file.get() < 0 && errno == ENXIO) refuse(path, "nobody reads from it");
    if (file.get() < 0 || !write_all(file.get(), content) || !file.close()) {
      refuse(path, explain(path));
    }
    return;
  }
  const std::filesystem::path target = target_of(path);
  std::string name;
  Descriptor file(make_temporary(target, name));
  if (file.get() < 0) refuse(path, explain(path));
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const bool written = ::fchmod(file.get(), 0666 & ~mask) == 0 && write_all(file.get(), content) &&
                       ::fsync(file.get()) == 0 &&
                       (!name.empty() || give_name(file.get(), target, name)) &&
                       ::rename(name.c_str(), target.c_str()) == 0 && file.close();
  if (!written) {
    const std::string reason = explain(path);
    if (!name.empty()) ::unlink(name.c_str());
    refuse(path, reason);
  }
}

void remove_older(const std::filesystem::path& path) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(path, code)) return;
  const std::filesystem::path file = std::filesystem::canonical(path, code);
  if (!code) std::filesystem::remove(file, code);
}

}  // namespace fa2bench
