// SPDX-License-Identifier: MIT
// Opening mocks: what is found, and one clear line for each way it fails.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include "shim/shim.hpp"
#include "support.hpp"

namespace fa2bench {
namespace {

namespace fs = std::filesystem;
using test::mock;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

std::string fault_of(const fs::path& path) {
  const std::string text = test::error_text(ErrorKind::environment, [&] { (void)load_shim(path); });
  EXPECT_THAT(text, StartsWith("shim " + path.string() + ": "));
  return text;
}

TEST(LoadShim, OpensAC11ShimThatKnowsOnlyTheHeader) {
  const Shim shim = load_shim(mock("c11"));
  EXPECT_EQ(shim.path(), mock("c11"));
  EXPECT_NE(shim.entry(), nullptr);
  EXPECT_TRUE(shim.description().described);
  EXPECT_EQ(shim.description().name, "mock");
  EXPECT_EQ(shim.description().version, "1.2");
  EXPECT_FALSE(shim.description().device_memory);
  EXPECT_THAT(shim.description().head_dims, ElementsAre(64, 128));
  EXPECT_THAT(shim.description().block_sizes, ElementsAre(16, 32));
}

TEST(LoadShim, AssumesTheDefaultsWithoutADescription) {
  const Shim shim = load_shim(mock("plain"));
  EXPECT_FALSE(shim.description().described);
  EXPECT_TRUE(shim.description().device_memory);
  EXPECT_THAT(shim.description().head_dims, ElementsAre(128));
  EXPECT_THAT(shim.description().block_sizes, ElementsAre(16));
}

TEST(LoadShim, FindsARelativeNameWithoutASlashInTheCurrentFolder) {
  const fs::path before = fs::current_path();
  fs::current_path(mock("c11").parent_path());
  const Shim shim = load_shim("libmock_c11.so");
  fs::current_path(before);
  EXPECT_EQ(shim.path(), mock("c11"));
}

TEST(LoadShim, OpensInGlobalScopeOnRequest) {
  EXPECT_EQ(load_shim(mock("plain"), true).path(), mock("plain"));
}

// Device code of a library that was unloaded stays registered, and calls into it do nothing or
// crash.
TEST(LoadShim, LeavesEveryLibraryInTheProcessForGood) {
  const auto entry_of = [](const char* name) { return load_shim(mock(name)).entry(); };
  const PagedVarlenFn first[] = {entry_of("c11"), entry_of("plain")};
  for (int round = 0; round < 100; ++round) {
    EXPECT_EQ(entry_of("c11"), first[0]);
    EXPECT_EQ(entry_of("plain"), first[1]);
  }
  for (const char* name : {"c11", "plain"}) {
    EXPECT_NE(dlopen(mock(name).c_str(), RTLD_NOW | RTLD_NOLOAD), nullptr) << name;
  }
  PagedVarlenCall call;
  call.num_seqs = 42;  // the mock's answer
  char text[kErrBufBytes] = "";
  for (const PagedVarlenFn entry : first) {
    EXPECT_EQ(invoke(entry, call, nullptr, text, sizeof text), 42);
  }
}

TEST(LoadShim, ChecksTheFileFirst) {
  const test::TempFolder folder;
  EXPECT_THAT(fault_of(folder.path()), EndsWith("is a directory; name the .so file in it"));
}

TEST(LoadShim, ListsEveryMissingLibraryAndHintsAtTorch) {
  EXPECT_EQ(fault_of(mock("missing")),
            "shim " + mock("missing").string() +
                ": a library it needs is missing: libtorch_gone.so: cannot open shared object "
                "file: No such file or directory; not found: libtorch_gone.so, libfa2_gone.so; set "
                "LD_LIBRARY_PATH to the folder torch/lib of the torch it was built with");
}

TEST(LoadShim, NamesTheMissingLibraryOfALibrary) {
  EXPECT_EQ(fault_of(mock("chain")),
            "shim " + mock("chain").string() +
                ": a library it needs is missing: libfa2_gone.so: cannot open shared object file: "
                "No such file or directory; not found: libfa2_gone.so; install them or add their "
                "folders to LD_LIBRARY_PATH");
}

// A symbol that only some shapes need must fail here and not in mid-run.
TEST(LoadShim, BindsEverySymbolAtOnce) {
  EXPECT_EQ(fault_of(mock("undefined")),
            "shim " + mock("undefined").string() +
                ": a symbol it needs is undefined: " + mock("undefined").string() +
                ": undefined symbol: mock_defined_nowhere; link it with the library that defines "
                "the symbol");
}

TEST(LoadShim, HintsAtTheCxxAbiOfAnUndefinedSymbol) {
  EXPECT_EQ(fault_of(mock("cxx_undefined")),
            "shim " + mock("cxx_undefined").string() +
                ": a symbol it needs is undefined: " + mock("cxx_undefined").string() +
                ": undefined symbol: _Z16mock_device_nameB5cxx11v (mock_device_name[abi:cxx11]()); "
                "rebuild it and its libraries with one compiler and one C++ ABI (against this "
                "torch)");
}

TEST(LoadShim, SaysThatItWasBuiltForANewerSystem) {
  const std::string text = fault_of(mock("newer"));
  EXPECT_THAT(text, HasSubstr(": built for a newer system: /"));
  EXPECT_THAT(text, HasSubstr("libstdc++.so.6: version `GLIBCXX_3.4.99' not found (required by " +
                              mock("newer").string() + ")"));
  EXPECT_THAT(text, EndsWith("; rebuild it on this one or use a newer one"));
}

TEST(LoadShim, RecognizesTheEntryPointAsACxxFunction) {
  EXPECT_THAT(fault_of(mock("mangled")),
              MatchesRegex(".*: it does not export ferrum_fa2_paged_varlen_fwd, but the C\\+\\+ "
                           "name _Z27ferrum_fa2_paged_varlen_fwdPKv[^ ]*; declare it extern "
                           "\"C\""));
}

TEST(LoadShim, RecognizesTheDescriptionAsACxxFunction) {
  EXPECT_EQ(fault_of(mock("mangled_describe")),
            "shim " + mock("mangled_describe").string() +
                ": it does not export ferrum_fa2_shim_describe, but the C++ name "
                "_Z24ferrum_fa2_shim_describev; declare it extern \"C\"");
}

TEST(LoadShim, ListsNamesLikeTheEntryPoint) {
  EXPECT_EQ(fault_of(mock("near_miss")),
            "shim " + mock("near_miss").string() +
                ": it does not export ferrum_fa2_paged_varlen_fwd; names like it: "
                "ferrum_fa2_paged_varlen_fwdd, vllm_paged_varlen; export it under the first name");
}

TEST(LoadShim, RefusesAVariableAsTheEntryPoint) {
  EXPECT_THAT(fault_of(mock("data")), EndsWith("its ferrum_fa2_paged_varlen_fwd is data, not a "
                                               "function; define it as ferrum_fa2_shim.h says"));
}

TEST(LoadShim, RefusesABadDescription) {
  EXPECT_EQ(fault_of(mock("bad_describe")),
            "shim " + mock("bad_describe").string() +
                ": ferrum_fa2_shim_describe():1: memory: found \"hots\"; expected one of host, "
                "device (did you mean \"host\"?)");
  EXPECT_THAT(fault_of(mock("null_describe")),
              EndsWith("ferrum_fa2_shim_describe(): returned NULL; return a JSON text, or do not "
                       "export it"));
}

}  // namespace
}  // namespace fa2bench
