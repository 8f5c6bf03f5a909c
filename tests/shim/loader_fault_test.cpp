// SPDX-License-Identifier: MIT
// The loader's complaints in glibc's own words, and what we make of them.
#include "shim/loader_fault.hpp"

#include <gmock/gmock.h>

#include "support.hpp"

namespace fa2bench {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;
using testing::StartsWith;

constexpr const char* kNoFile = ": cannot open shared object file: No such file or directory";

std::string missing(const std::string& first, const std::vector<std::string>& all) {
  return explain_loader_fault(first + kNoFile, all);
}

TEST(LoaderFault, PassesTheTextAndTheWholeListOfMissingLibraries) {
  EXPECT_EQ(missing("libone.so", {"libone.so", "libtwo.so.2"}),
            "a library it needs is missing: libone.so: cannot open shared object file: No such "
            "file or directory; not found: libone.so, libtwo.so.2; install them or add their "
            "folders to LD_LIBRARY_PATH");
}

TEST(LoaderFault, NamesTheLibraryWhereTheLoaderCannotBeAsked) {
  EXPECT_THAT(missing("libone.so", {}), testing::HasSubstr("; not found: libone.so; "));
}

TEST(LoaderFault, HintsAtTorchAndCuda) {
  const std::string torch =
      "set LD_LIBRARY_PATH to the folder torch/lib of the torch it was built with";
  const std::string cuda =
      "add the CUDA libraries to LD_LIBRARY_PATH (for example /usr/local/cuda/lib64)";
  EXPECT_THAT(missing("libc10.so", {}), EndsWith("; " + torch));
  EXPECT_THAT(missing("libtorch_cpu.so", {}), EndsWith("; " + torch));
  EXPECT_THAT(missing("libcudart.so.12", {}), EndsWith("; " + cuda));
  EXPECT_THAT(missing("libcuda.so.1", {}), EndsWith("; install the NVIDIA driver"));
  EXPECT_THAT(missing("libc10.so", {"libc10.so", "libcudart.so.12"}),
              EndsWith("; " + torch + " and " + cuda));
}

TEST(LoaderFault, HintsAtTheTorchOfAnUndefinedSymbol) {
  EXPECT_EQ(
      explain_loader_fault("/s.so: undefined symbol: _ZN3c105ErrorC1ENS_14SourceLocationESs", {}),
      "a symbol it needs is undefined: /s.so: undefined symbol: "
      "_ZN3c105ErrorC1ENS_14SourceLocationESs (c10::Error::Error(c10::SourceLocation, "
      "std::string)); rebuild it against this torch and compiler");
}

TEST(LoaderFault, CutsTheVersionFromAnUndefinedSymbol) {
  EXPECT_EQ(explain_loader_fault("/s.so: undefined symbol: _Z1fv, version V1", {}),
            "a symbol it needs is undefined: /s.so: undefined symbol: _Z1fv, version V1 (f()); "
            "link it with the library that defines the symbol");
}

TEST(LoaderFault, TellsANewerSystemFromAnotherLibraryVersion) {
  for (const std::string version : {"GLIBC_2.99", "GLIBCXX_3.4.99", "CXXABI_1.3.99", "GCC_99.0"}) {
    EXPECT_EQ(explain_loader_fault(
                  "/lib/libx.so: version `" + version + "' not found (required by /s.so)", {}),
              "built for a newer system: /lib/libx.so: version `" + version +
                  "' not found (required by /s.so); rebuild it on this one or use a newer one");
  }
  EXPECT_EQ(
      explain_loader_fault("/lib/libx.so: version `OPENSSL_9' not found (required by /s.so)", {}),
      "built for another version of a library: /lib/libx.so: version `OPENSSL_9' not found "
      "(required by /s.so); rebuild it against this one");
}

TEST(LoaderFault, KnowsTheRarerFaults) {
  EXPECT_EQ(explain_loader_fault("/s.so: cannot allocate memory in static TLS block", {}),
            "no room for its thread-local data: /s.so: cannot allocate memory in static TLS block; "
            "set GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384");
  EXPECT_EQ(explain_loader_fault(
                "/s.so: failed to map segment from shared object: Operation not permitted", {}),
            "its code may not be mapped: /s.so: failed to map segment from shared object: "
            "Operation not permitted; put it on a file system mounted with exec");
}

TEST(LoaderFault, PassesAnUnknownTextThroughOnOneLine) {
  EXPECT_EQ(explain_loader_fault("odd\nnews", {}),
            "the loader refuses it: odd\\nnews; see what ldd says of it");
}

TEST(MissingLibraries, AreReadFromTheLoadersListEachOnce) {
  EXPECT_THAT(parse_missing_libraries("\tlinux-vdso.so.1 (0x00007fff)\n"
                                      "\tlibc10.so => not found\n"
                                      "\tlibc.so.6 => /lib/libc.so.6 (0x00007f)\n"
                                      "\tlibtorch.so => not found\n"
                                      "\tlibc10.so => not found"),
              ElementsAre("libc10.so", "libtorch.so"));
  EXPECT_THAT(parse_missing_libraries(""), IsEmpty());
  EXPECT_THAT(parse_missing_libraries(" => not found\n\n"), ElementsAre(""));
}

TEST(MissingLibraries, AreFoundInTheWholeTree) {
  EXPECT_THAT(find_missing_libraries(test::mock("chain")), ElementsAre("libfa2_gone.so"));
  EXPECT_THAT(find_missing_libraries(test::mock("c11")), IsEmpty());
}

}  // namespace
}  // namespace fa2bench
