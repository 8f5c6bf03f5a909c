// SPDX-License-Identifier: MIT
// Files that are no shared library for this machine, and the line that says so.
#include "shim/file_check.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/elf_file.hpp"
#include "support.hpp"

namespace fa2bench {
namespace {

namespace fs = std::filesystem;
using test::mock;
using test::TempFolder;
using testing::HasSubstr;

/// The message less the path it starts with.
std::string fault_of(const fs::path& path) {
  const std::string text = test::error_text(ErrorKind::environment, [&] { check_shim_file(path); });
  const std::string start = "shim " + path.string() + ": ";
  EXPECT_EQ(text.substr(0, start.size()), start);
  return text.substr(std::min(start.size(), text.size()));
}

/// A copy of a good library with bytes of its ELF header replaced.
fs::path patched(const TempFolder& folder, std::size_t offset, const std::string& bytes) {
  std::string content = test::read_file(mock("c11"));
  content.replace(offset, bytes.size(), bytes);
  return folder.write("patched.so", content);
}

constexpr std::size_t kClassOffset = 4;
constexpr std::size_t kByteOrderOffset = 5;
constexpr std::size_t kTypeOffset = 16;
constexpr std::size_t kMachineOffset = 18;

TEST(ShimFile, IsAcceptedWhenItIsASharedLibrary) { EXPECT_NO_THROW(check_shim_file(mock("c11"))); }

TEST(ShimFile, IsRefusedWhenMissing) {
  const TempFolder folder;
  EXPECT_EQ(fault_of(folder.path() / "no.so"),
            "no such file; check the path (a name alone is looked for in the current folder)");
}

TEST(ShimFile, IsRefusedWhenTheShellLeftATilde) {
  const TempFolder folder;
  EXPECT_EQ(fault_of(folder.path() / "~" / "no.so"),
            "no such file; the shell left the \"~\" as it is, write $HOME instead");
}

TEST(ShimFile, IsRefusedWhenItsLinkIsBroken) {
  const TempFolder folder;
  fs::create_symlink("gone.so", folder.path() / "link.so");
  EXPECT_EQ(fault_of(folder.path() / "link.so"),
            "a symbolic link to gone.so, which does not exist; mend the link");
}

TEST(ShimFile, IsRefusedWhenItsLinkLeadsToItself) {
  const TempFolder folder;
  fs::create_symlink("loop.so", folder.path() / "loop.so");
  EXPECT_EQ(fault_of(folder.path() / "loop.so"),
            "cannot be reached: Too many levels of symbolic links; check the path and its "
            "permissions");
}

TEST(ShimFile, IsRefusedBelowAFile) {
  const TempFolder folder;
  folder.write("file", "x");
  EXPECT_EQ(fault_of(folder.path() / "file" / "no.so"),
            "cannot be reached: Not a directory; check the path and its permissions");
}

TEST(ShimFile, IsRefusedWhenADirectory) {
  const TempFolder folder;
  EXPECT_EQ(fault_of(folder.path()), "is a directory; name the .so file in it");
}

TEST(ShimFile, IsRefusedWhenAPipeWithoutWaitingForIt) {
  const TempFolder folder;
  const fs::path pipe = folder.path() / "pipe.so";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(fault_of(pipe), "is not a regular file; name a .so file");
}

TEST(ShimFile, IsRefusedWhenNotReadable) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const TempFolder folder;
  const fs::path file = folder.write("secret.so", "x");
  fs::permissions(file, fs::perms::none);
  EXPECT_EQ(fault_of(file), "cannot be read; check its permissions");
}

TEST(ShimFile, IsRefusedWhenEmpty) {
  const TempFolder folder;
  EXPECT_EQ(fault_of(folder.write("empty.so", "")), "is an empty file; build or copy it again");
}

TEST(ShimFile, IsRefusedWhenText) {
  const TempFolder folder;
  EXPECT_EQ(fault_of(folder.write("text.so", "/* GNU ld script */\nGROUP ( libx.so )\n")),
            "is a text file (\"/* GNU ld script */\"), not an ELF file; name a shared library "
            "(.so)");
}

TEST(ShimFile, IsRefusedWhenOtherBytes) {
  const TempFolder folder;
  EXPECT_EQ(fault_of(folder.write("data.so", std::string("MZ\0\x01\x02", 5))),
            "is not an ELF file; name a shared library (.so)");
}

TEST(ShimFile, IsRefusedWhenAStaticArchive) {
  const TempFolder folder;
  EXPECT_EQ(fault_of(folder.write("lib.so", "!<arch>\n")),
            "is a static archive, not a shared library; link it with -shared");
}

TEST(ShimFile, IsRefusedWhenItsHeaderIsDamaged) {
  const TempFolder folder;
  EXPECT_EQ(fault_of(folder.write("short.so",
                                  "\x7F"
                                  "ELF\x02\x01\x01")),
            "its ELF header is damaged; build or copy it again");
}

TEST(ShimFile, IsRefusedForAnotherMachineNamingBoth) {
  const TempFolder folder;
  const std::string own = machine_name(own_machine());
  const bool on_aarch64 = own == "aarch64";
  const std::string other = on_aarch64 ? "x86-64" : "aarch64";
  const std::string code = on_aarch64 ? std::string("\x3E\0", 2) : std::string("\xB7\0", 2);
  EXPECT_EQ(fault_of(patched(folder, kMachineOffset, code)),
            "is built for " + other + ", this machine is " + own + "; build it for " + own);
}

TEST(ShimFile, IsRefusedWhenOnlyAForeignHeaderIsThere) {
  const TempFolder folder;
  const std::string header = test::read_file(mock("c11")).substr(0, 64);
  std::string foreign = header;
  foreign.replace(kMachineOffset, 2, std::string("\x16\0", 2));
  const std::string own = machine_name(own_machine());
  EXPECT_EQ(fault_of(folder.write("header.so", foreign)),
            "is built for s390, this machine is " + own + "; build it for " + own);
}

TEST(ShimFile, IsRefusedWhen32Bit) {
  const TempFolder folder;
  std::string content = test::read_file(mock("c11"));
  content[kClassOffset] = 1;
  content.replace(kMachineOffset, 2, std::string("\x03\0", 2));
  const std::string own = machine_name(own_machine());
  EXPECT_EQ(
      fault_of(folder.write("32.so", content)),
      "is a 32-bit library for i386, this program is 64-bit " + own + "; build it for " + own);
}

TEST(ShimFile, IsRefusedWhenAnObjectFile) {
  const TempFolder folder;
  EXPECT_EQ(fault_of(patched(folder, kTypeOffset, std::string("\x01\0", 2))),
            "is an object file, not a shared library; link it with -shared");
}

TEST(ShimFile, IsRefusedWhenAnExecutable) {
  const TempFolder folder;
  const std::string expected = "is an executable, not a shared library; link it with -shared";
  EXPECT_EQ(fault_of(patched(folder, kTypeOffset, std::string("\x02\0", 2))), expected);
  // This test program is a position-independent one, which looks like a library at first.
  EXPECT_EQ(fault_of(fs::canonical("/proc/self/exe")), expected);
}

TEST(ShimFile, IsRefusedWhenACoreFile) {
  const TempFolder folder;
  EXPECT_EQ(fault_of(patched(folder, kTypeOffset, std::string("\x04\0", 2))),
            "is not a shared library; name a .so file");
}

TEST(ShimFile, IsRefusedWhenCutShort) {
  const TempFolder folder;
  const std::string whole = test::read_file(mock("c11"));
  const auto needed = read_elf_facts(mock("c11"))->bytes_needed;
  ASSERT_GT(needed, 1000U);
  const fs::path part = folder.write("part.so", whole.substr(0, 1000));
  EXPECT_EQ(fault_of(part), "is cut short: 1000 bytes of at least " + std::to_string(needed) +
                                "; build or copy it again");
}

TEST(ShimFile, SurvivesAnyDamageToItsHeaders) {
  const TempFolder folder;
  const std::string whole = test::read_file(mock("c11"));
  // Every byte of the ELF and program headers in turn; each file is judged or accepted.
  for (std::size_t at = kByteOrderOffset; at < 600; ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(~damaged[at]);
    const fs::path file = folder.write("damaged.so", damaged);
    try {
      check_shim_file(file);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::environment);
    }
    (void)read_exported_symbols(file);
  }
}

TEST(ElfFacts, TellTheSonameTheNeedsAndTheBuildId) {
  const auto facts = read_elf_facts(mock("a/equal"));
  ASSERT_TRUE(facts.has_value());
  EXPECT_EQ(facts->soname, "libmock_equal.so");
  EXPECT_THAT(facts->needed, testing::Contains("libfa2core.so"));
  EXPECT_THAT(facts->build_id, testing::MatchesRegex("[0-9a-f]{40}"));
}

}  // namespace
}  // namespace fa2bench
