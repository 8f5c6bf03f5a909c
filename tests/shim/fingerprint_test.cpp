// SPDX-License-Identifier: MIT
// What was loaded, by content: equal SONAMEs, links, dependencies as mapped.
#include "shim/fingerprint.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "base/sha256.hpp"
#include "support.hpp"

namespace fa2bench {
namespace {

namespace fs = std::filesystem;
using test::mock;
using test::TempFolder;
using testing::Contains;
using testing::MatchesRegex;

const MappedLibrary* find(const Fingerprint& print, const std::string& name) {
  const auto found =
      std::find_if(print.dependencies.begin(), print.dependencies.end(),
                   [&](const MappedLibrary& library) { return library.name == name; });
  return found == print.dependencies.end() ? nullptr : &*found;
}

TEST(Fingerprint, NamesTheFileByContent) {
  const Fingerprint print = fingerprint(load_shim(mock("a/equal")));
  EXPECT_EQ(print.real_path, fs::canonical(mock("a/equal")));
  EXPECT_EQ(print.size_bytes, fs::file_size(mock("a/equal")));
  EXPECT_EQ(print.sha256, sha256_of_file(mock("a/equal")));
  EXPECT_THAT(print.build_id, MatchesRegex("[0-9a-f]{40}"));
}

TEST(Fingerprint, HashesTheShimsOwnLibraries) {
  const Fingerprint print = fingerprint(load_shim(mock("a/equal")));
  const MappedLibrary* core = find(print, "libfa2core.so");
  ASSERT_NE(core, nullptr);
  EXPECT_THAT(core->sha256, MatchesRegex("[0-9a-f]{64}"));
  EXPECT_EQ(find(print, "libmock_equal.so"), nullptr);
}

// libstdc++ is in this process already: the shim needs it all the same.
TEST(Fingerprint, ListsTheSystemsLibrariesUnhashed) {
  const Fingerprint print = fingerprint(load_shim(mock("throws")));
  const MappedLibrary* cxx = find(print, "libstdc++.so.6");
  ASSERT_NE(cxx, nullptr);
  EXPECT_TRUE(cxx->real_path.is_absolute());
  EXPECT_EQ(cxx->sha256, "");
}

TEST(Fingerprint, ListsTheWholeTreeOfAShimThatIsLoadedAgain) {
  for (int time = 0; time < 2; ++time) {
    const Fingerprint print = fingerprint(load_shim(mock("deep")));
    EXPECT_NE(find(print, "libfa2_outer.so"), nullptr) << time;
    EXPECT_NE(find(print, "libfa2_inner.so"), nullptr) << time;
    EXPECT_EQ(find(print, "libelf.so.1"), nullptr) << time;  // the program's, not the shim's
  }
}

TEST(Fingerprint, TellsBuildsWithEqualSonamesApart) {
  const Fingerprint a = fingerprint(load_shim(mock("a/equal")));
  const Fingerprint b = fingerprint(load_shim(mock("b/equal")));
  EXPECT_EQ(a.real_path, fs::canonical(mock("a/equal")));
  EXPECT_EQ(b.real_path, fs::canonical(mock("b/equal")));
  EXPECT_NE(a.build_id, "");
}

// In one process the loader gives the second build the first one's dependency. The fingerprint must
// show that, and not what lies beside the second build.
TEST(Fingerprint, ShowsTheDependencyThatIsMappedNotTheOneBesideTheFile) {
  const Shim a = load_shim(mock("a/equal"));
  const Shim b = load_shim(mock("b/equal"));
  PagedVarlenCall call;
  call.max_q_len = 2;
  ASSERT_EQ(b.call(call, nullptr).code, a.call(call, nullptr).code);
  const Fingerprint prints[2] = {fingerprint(a), fingerprint(b)};
  ASSERT_NE(find(prints[0], "libfa2core.so"), nullptr);
  ASSERT_NE(find(prints[1], "libfa2core.so"), nullptr);
  EXPECT_EQ(find(prints[1], "libfa2core.so")->real_path,
            find(prints[0], "libfa2core.so")->real_path);
}

TEST(Fingerprint, FollowsSymbolicLinksToTheOneFile) {
  const TempFolder folder;
  fs::copy_file(mock("c11"), folder.path() / "real.so");
  fs::create_symlink("real.so", folder.path() / "link.so");
  fs::create_hard_link(folder.path() / "real.so", folder.path() / "hard.so");
  const Fingerprint real = fingerprint(load_shim(folder.path() / "real.so"));
  const Fingerprint link = fingerprint(load_shim(folder.path() / "link.so"));
  const Fingerprint hard = fingerprint(load_shim(folder.path() / "hard.so"));
  EXPECT_EQ(link.real_path, real.real_path);
  EXPECT_TRUE(same_build(real, link));
  EXPECT_TRUE(same_build(real, hard));
}

TEST(Fingerprint, IsRefusedWhenTheFileHasGone) {
  const TempFolder folder;
  fs::copy_file(mock("c11"), folder.path() / "gone.so");
  const Shim shim = load_shim(folder.path() / "gone.so");
  fs::remove(folder.path() / "gone.so");
  EXPECT_EQ(test::error_text(ErrorKind::environment, [&] { (void)fingerprint(shim); }),
            (folder.path() / "gone.so").string() +
                ": gone since it was loaded (No such file or directory); start again with a stable "
                "file");
}

TEST(SameBuild, ComparesContentAndNotPaths) {
  Fingerprint a;
  a.real_path = "/a";
  a.sha256 = "1";
  a.dependencies = {{"libx.so", "/a/libx.so", "2", ""}, {"libc.so.6", "/lib/libc.so.6", "", ""}};
  Fingerprint b = a;
  b.real_path = "/b";
  b.dependencies[0].real_path = "/b/libx.so";
  EXPECT_TRUE(same_build(a, b));
  b.dependencies[0].sha256 = "3";
  EXPECT_FALSE(same_build(a, b));
  b = a;
  b.sha256 = "3";
  EXPECT_FALSE(same_build(a, b));
}

TEST(SystemLibrary, IsKnownByItsName) {
  for (const char* name :
       {"/lib/libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1",
        "/lib64/ld-linux-x86-64.so.2", "libgcc_s.so.1", "/opt/conda/lib/libstdc++.so.6.0.30"}) {
    EXPECT_TRUE(is_system_library(name)) << name;
  }
  for (const char* name : {"libc10.so", "libmine.so", "libcuda.so.1", "/libc.so.6/libx.so"}) {
    EXPECT_FALSE(is_system_library(name)) << name;
  }
}

}  // namespace
}  // namespace fa2bench
