// SPDX-License-Identifier: MIT
// Which shim a run uses, and under what label.
#include "shim/locate.hpp"

#include <gmock/gmock.h>

#include "support.hpp"

namespace fa2bench {
namespace {

namespace fs = std::filesystem;
using test::TempFolder;
using testing::ElementsAre;

/// A tool at <folder>/bin/tool that is called in <folder>.
ShimSources sources_in(const TempFolder& folder) {
  ShimSources sources;
  sources.executable = folder.path() / "bin" / "tool";
  sources.device_kind = "cpu";
  sources.current_folder = folder.path();
  return sources;
}

std::vector<ShimRequest> locate(const TempFolder& folder, std::vector<std::string> arguments) {
  ShimSources sources = sources_in(folder);
  sources.arguments = std::move(arguments);
  return locate_shims(sources);
}

std::vector<std::string> labels(const TempFolder& folder, std::vector<std::string> arguments) {
  std::vector<std::string> found;
  for (const ShimRequest& request : locate(folder, std::move(arguments))) {
    found.push_back(request.label);
  }
  return found;
}

TEST(LocateShims, TakesALabelledPath) {
  const TempFolder folder;
  const auto requests = locate(folder, {"old=/x/a.so"});
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_EQ(requests[0].label, "old");
  EXPECT_EQ(requests[0].path, "/x/a.so");
  EXPECT_EQ(requests[0].origin, "--shim");
}

TEST(LocateShims, MakesANameWithoutASlashAbsolute) {
  const TempFolder folder;
  folder.write("libshim.so", "x");
  EXPECT_EQ(locate(folder, {"libshim.so"})[0].path, folder.path() / "libshim.so");
  EXPECT_EQ(locate(folder, {"new=libshim.so"})[0].path, folder.path() / "libshim.so");
  EXPECT_EQ(locate(folder, {"sub/libshim.so"})[0].path, folder.path() / "sub/libshim.so");
}

TEST(LocateShims, TakesAnExistingFileWithAnEqualsSignWhole) {
  const TempFolder folder;
  folder.write("a=b.so", "x");
  const auto requests = locate(folder, {"a=b.so", "a=c.so"});
  EXPECT_EQ(requests[0].path, folder.path() / "a=b.so");
  EXPECT_EQ(requests[0].label, "a=b");
  EXPECT_EQ(requests[1].path, folder.path() / "c.so");
  EXPECT_EQ(requests[1].label, "a");
}

TEST(LocateShims, SplitsAtTheFirstEqualsSignAfterALabelOnly) {
  const TempFolder folder;
  EXPECT_EQ(locate(folder, {"/x/y=z.so"})[0].path, "/x/y=z.so");
  EXPECT_EQ(locate(folder, {"v1.0+cu-12_a=/x/y=z.so"})[0].path, "/x/y=z.so");
  EXPECT_EQ(locate(folder, {"=z.so"})[0].path, folder.path() / "=z.so");
}

TEST(LocateShims, RefusesAnArgumentWithoutAPath) {
  const TempFolder folder;
  EXPECT_EQ(test::error_text(ErrorKind::usage, [&] { (void)locate(folder, {"old="}); }),
            "--shim \"old=\": no path; expected [LABEL=]PATH");
  EXPECT_EQ(test::error_text(ErrorKind::usage, [&] { (void)locate(folder, {""}); }),
            "--shim \"\": no path; expected [LABEL=]PATH");
}

TEST(LocateShims, RefusesALabelGivenTwice) {
  const TempFolder folder;
  EXPECT_EQ(test::error_text(ErrorKind::usage,
                             [&] {
                               (void)locate(folder, {"a=/x", "a=/y"});
                             }),
            "--shim: the label \"a\" is given twice; expected distinct labels");
}

TEST(LocateShims, LabelsByTheFileNameWithoutLib) {
  const TempFolder folder;
  EXPECT_THAT(labels(folder, {"/x/libfa2.so", "/x/kernel.so", "/x/lib.so", "/x/libv1.2.so"}),
              ElementsAre("fa2", "kernel", "lib", "v1.2"));
}

TEST(LocateShims, KeepsMadeUpLabelsUnique) {
  const TempFolder folder;
  EXPECT_THAT(labels(folder, {"/a/libs.so", "/b/libs.so", "/c/libs.so"}),
              ElementsAre("s", "s-2", "s-3"));
  EXPECT_THAT(labels(folder, {"/a/libs.so", "s=/b/x.so", "s-2=/c/y.so"}),
              ElementsAre("s-3", "s", "s-2"));
}

TEST(LocateShims, MakesALabelFromAnyFileName) {
  const TempFolder folder;
  EXPECT_THAT(labels(folder, {"/x/bad\x1B\xFF.so"}), ElementsAre("bad\\x1b\\xff"));
}

TEST(LocateShims, PrefersTheArgumentsThenTheEnvironmentThenTheBundledShim) {
  const TempFolder folder;
  const fs::path bundled = folder.write("lib/libferrum_fa2_shim_cpu.so", "x");
  ShimSources sources = sources_in(folder);
  EXPECT_EQ(locate_shims(sources)[0].path, bundled);
  EXPECT_EQ(locate_shims(sources)[0].origin, "bundled");
  EXPECT_EQ(locate_shims(sources)[0].label, "ferrum_fa2_shim_cpu");
  sources.environment = "";
  EXPECT_EQ(locate_shims(sources)[0].origin, "bundled");
  // Ferrum reads the whole value as a path; so do we, without labels.
  sources.environment = "env=x.so";
  EXPECT_EQ(locate_shims(sources)[0].path, folder.path() / "env=x.so");
  EXPECT_EQ(locate_shims(sources)[0].origin, "FERRUM_FA2_DIRECT_FFI_SHIM");
  sources.arguments = {"/x/mine.so"};
  EXPECT_EQ(locate_shims(sources)[0].path, "/x/mine.so");
  EXPECT_EQ(locate_shims(sources).size(), 1U);
}

TEST(LocateShims, SaysWhereItLookedForTheBundledShim) {
  const TempFolder folder;
  folder.write("lib/libferrum_fa2_shim_cpu.so", "x");
  ShimSources sources = sources_in(folder);
  sources.device_kind = "cuda";
  const std::string text =
      test::error_text(ErrorKind::environment, [&] { (void)locate_shims(sources); });
  EXPECT_THAT(text, testing::StartsWith("no bundled shim libferrum_fa2_shim_cuda.so in " +
                                        (folder.path() / "lib").string() + ", "));
  EXPECT_THAT(text, testing::EndsWith("; name one with --shim or FERRUM_FA2_DIRECT_FFI_SHIM, or "
                                      "build it"));
}

TEST(BundledShim, IsFoundInBuildTreesInstallationsAndBesideTheTool) {
  for (const char* place : {"lib", "lib/ferrum-fa2-bench", "bin"}) {
    const TempFolder folder;
    const fs::path file = folder.write(std::string(place) + "/libferrum_fa2_shim_cpu.so", "x");
    EXPECT_EQ(find_bundled_shim(folder.path() / "bin" / "tool", "cpu"), file);
    EXPECT_EQ(find_bundled_shim(folder.path() / "bin" / "tool", "cuda"), std::nullopt);
  }
}

TEST(OwnExecutable, IsThisTest) { EXPECT_EQ(own_executable().filename(), "test_shim"); }

}  // namespace
}  // namespace fa2bench
