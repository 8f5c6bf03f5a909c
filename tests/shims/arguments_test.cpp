// SPDX-License-Identifier: MIT
// What both bundled shims refuse, with which code and text, and what they say of themselves.
// Every call here is answered before a device would be touched.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>

#include "shims/batch.hpp"
#include "shims/library.hpp"

namespace fa2bench::test {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

struct Shim {
  const char* name;
  const char* path;
  const char* memory;
};

const Shim kShims[] = {
    {"cpu", FA2BENCH_CPU_SHIM, "host"},
#if defined(FA2BENCH_CUDA_SHIM)
    {"cuda", FA2BENCH_CUDA_SHIM, "device"},
#endif
};

class BundledShim : public testing::TestWithParam<Shim> {
 protected:
  BundledShim()
      : batch_(BatchShape{}.with({{1, 20}, {3, 30}})), shim_(open_library(GetParam().path)) {}

  /// The code of a good call after `change`; its text is in text_.
  int call(const std::function<void(PagedVarlenCall&)>& change) {
    PagedVarlenCall changed = batch_.call;
    change(changed);
    std::memset(text_, '#', sizeof text_);
    return invoke(shim_.call, changed, nullptr, text_, sizeof text_);
  }

  Batch batch_;
  Library shim_;
  char text_[512];
};

INSTANTIATE_TEST_SUITE_P(Shims, BundledShim, testing::ValuesIn(kShims),
                         [](const auto& shim) { return std::string(shim.param.name); });

TEST_P(BundledShim, RefusesEachNullPointerByName) {
  EXPECT_EQ(call([](auto& c) { c.q = nullptr; }), FERRUM_FA2_NULL_POINTER);
  EXPECT_STREQ(text_, "q is a null pointer");
  EXPECT_EQ(call([](auto& c) { c.k = nullptr; }), FERRUM_FA2_NULL_POINTER);
  EXPECT_STREQ(text_, "k is a null pointer");
  EXPECT_EQ(call([](auto& c) { c.v = nullptr; }), FERRUM_FA2_NULL_POINTER);
  EXPECT_STREQ(text_, "v is a null pointer");
  EXPECT_EQ(call([](auto& c) { c.out = nullptr; }), FERRUM_FA2_NULL_POINTER);
  EXPECT_STREQ(text_, "out is a null pointer");
  EXPECT_EQ(call([](auto& c) { c.lse = nullptr; }), FERRUM_FA2_NULL_POINTER);
  EXPECT_STREQ(text_, "lse is a null pointer");
  EXPECT_EQ(call([](auto& c) { c.cu_seqlens_q = nullptr; }), FERRUM_FA2_NULL_POINTER);
  EXPECT_STREQ(text_, "cu_seqlens_q is a null pointer");
  EXPECT_EQ(call([](auto& c) { c.seq_lens = nullptr; }), FERRUM_FA2_NULL_POINTER);
  EXPECT_STREQ(text_, "seq_lens is a null pointer");
  EXPECT_EQ(call([](auto& c) { c.block_tables = nullptr; }), FERRUM_FA2_NULL_POINTER);
  EXPECT_STREQ(text_, "block_tables is a null pointer");
}

TEST_P(BundledShim, RefusesEachNegativeSizeByName) {
  const std::pair<const char*, int PagedVarlenCall::*> sizes[] = {
      {"num_seqs", &PagedVarlenCall::num_seqs},
      {"total_q_tokens", &PagedVarlenCall::total_q_tokens},
      {"max_q_len", &PagedVarlenCall::max_q_len},
      {"max_kv_len", &PagedVarlenCall::max_kv_len},
      {"num_heads", &PagedVarlenCall::num_heads},
      {"num_kv_heads", &PagedVarlenCall::num_kv_heads},
      {"head_dim", &PagedVarlenCall::head_dim},
      {"block_size", &PagedVarlenCall::block_size},
      {"max_blocks_per_seq", &PagedVarlenCall::max_blocks_per_seq},
  };
  for (const auto& size : sizes) {
    EXPECT_EQ(call([&](auto& c) { c.*size.second = -1; }), FERRUM_FA2_BAD_SIZE) << size.first;
    EXPECT_THAT(text_, HasSubstr(std::string(size.first) + " = -1; expected at least"));
  }
}

TEST_P(BundledShim, RefusesZeroHeadsAndZeroSizes) {
  EXPECT_EQ(call([](auto& c) { c.num_heads = 0; }), FERRUM_FA2_BAD_SIZE);
  EXPECT_EQ(call([](auto& c) { c.num_kv_heads = 0; }), FERRUM_FA2_BAD_SIZE);
  EXPECT_EQ(call([](auto& c) { c.head_dim = 0; }), FERRUM_FA2_BAD_SIZE);
  EXPECT_EQ(call([](auto& c) { c.block_size = 0; }), FERRUM_FA2_BAD_SIZE);
}

TEST_P(BundledShim, RefusesHeadsThatDoNotDivide) {
  EXPECT_EQ(call([](auto& c) { c.num_heads = 33; }), FERRUM_FA2_BAD_SIZE);
  EXPECT_STREQ(text_, "num_heads = 33 is not a multiple of num_kv_heads = 2");
  EXPECT_EQ(call([](auto& c) { c.num_kv_heads = 16; }), FERRUM_FA2_BAD_SIZE);
}

TEST_P(BundledShim, RefusesMoreTokensThanTheMaximaAllow) {
  EXPECT_EQ(call([](auto& c) { c.max_q_len = 1; }), FERRUM_FA2_BAD_SIZE);
  EXPECT_THAT(text_, HasSubstr("hold at most 2"));
}

TEST_P(BundledShim, CallsAnUndescribedShapeUnsupported) {
  EXPECT_EQ(call([](auto& c) { c.head_dim = 72; }), FERRUM_FA2_UNSUPPORTED);
  EXPECT_STREQ(text_, "head_dim = 72 is not supported");
  EXPECT_EQ(call([](auto& c) { c.head_dim = 512; }), FERRUM_FA2_UNSUPPORTED);
  EXPECT_EQ(call([](auto& c) { c.block_size = 24; }), FERRUM_FA2_UNSUPPORTED);
  EXPECT_STREQ(text_, "block_size = 24 is not supported");
}

TEST_P(BundledShim, HasNothingToDoForAnEmptyBatch) {
  EXPECT_EQ(call([](auto& c) { c.num_seqs = 0; }), FERRUM_FA2_OK);
  EXPECT_EQ(call([](auto& c) { c.total_q_tokens = 0; }), FERRUM_FA2_OK);
  EXPECT_EQ(call([](auto& c) {
              c.num_seqs = c.total_q_tokens = c.max_q_len = c.max_kv_len = 0;
              c.q = c.k = c.v = c.cu_seqlens_q = c.seq_lens = c.block_tables = nullptr;
              c.out = c.lse = nullptr;
            }),
            FERRUM_FA2_OK);
  EXPECT_EQ(text_[0], '#');
}

TEST_P(BundledShim, BoundsItsTextByTheBuffer) {
  PagedVarlenCall bad = batch_.call;
  bad.q = nullptr;
  char text[10];
  std::memset(text, '#', sizeof text);
  EXPECT_EQ(invoke(shim_.call, bad, nullptr, nullptr, 512), FERRUM_FA2_NULL_POINTER);
  EXPECT_EQ(invoke(shim_.call, bad, nullptr, text, 0), FERRUM_FA2_NULL_POINTER);
  EXPECT_EQ(text[0], '#');
  EXPECT_EQ(invoke(shim_.call, bad, nullptr, text, 1), FERRUM_FA2_NULL_POINTER);
  EXPECT_EQ(text[0], '\0');
  EXPECT_EQ(text[1], '#');
  EXPECT_EQ(invoke(shim_.call, bad, nullptr, text, 8), FERRUM_FA2_NULL_POINTER);
  EXPECT_STREQ(text, "q is a ");
  EXPECT_EQ(text[8], '#');
}

TEST_P(BundledShim, DescribesItselfAsTheContractAsks) {
  const nlohmann::json description = nlohmann::json::parse(shim_.describe());
  EXPECT_EQ(description.at("name"), std::string("ferrum-fa2-") + GetParam().name);
  EXPECT_THAT(description.at("version").get<std::string>(),
              MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
  EXPECT_EQ(description.at("memory"), GetParam().memory);
  EXPECT_THAT(description.at("head_dims").get<std::vector<int>>(),
              testing::IsSupersetOf({64, 128}));
  EXPECT_THAT(description.at("block_sizes").get<std::vector<int>>(),
              testing::IsSupersetOf({16, 32, 64}));
  EXPECT_EQ(description.size(), 5U);
}

TEST_P(BundledShim, ChecksExactlyTheShapesThatItDescribes) {
  const nlohmann::json description = nlohmann::json::parse(shim_.describe());
  const auto accepts = [&](int head_dim, int block_size) {
    // An empty batch: shapes are checked, and nothing is run.
    return call([&](auto& c) {
             c.num_seqs = 0;
             c.head_dim = head_dim;
             c.block_size = block_size;
           }) == FERRUM_FA2_OK;
  };
  std::vector<int> head_dims;
  std::vector<int> block_sizes;
  for (int value = 1; value <= 1024; ++value) {
    if (accepts(value, 16)) head_dims.push_back(value);
    if (accepts(128, value)) block_sizes.push_back(value);
  }
  EXPECT_EQ(description.at("head_dims").get<std::vector<int>>(), head_dims);
  EXPECT_EQ(description.at("block_sizes").get<std::vector<int>>(), block_sizes);
}

/// The host shim can read the lengths, so it checks them too.
class CpuLengths : public testing::Test {
 protected:
  int call() { return invoke(shim_.call, batch_.call, nullptr, text_, sizeof text_); }

  Batch batch_{BatchShape{}.with({{1, 20}, {3, 30}})};
  Library shim_ = open_library(FA2BENCH_CPU_SHIM);
  char text_[512] = "";
};

TEST_F(CpuLengths, RefusesOffsetsThatDoNotCoverTheTokens) {
  batch_.cu_seqlens_q[2] = 3;
  EXPECT_EQ(call(), FERRUM_FA2_BAD_SIZE);
  EXPECT_STREQ(text_, "cu_seqlens_q goes from 0 to 3; expected 0 to 4");
}

TEST_F(CpuLengths, RefusesOffsetsThatFall) {
  batch_.cu_seqlens_q[1] = 5;
  EXPECT_EQ(call(), FERRUM_FA2_BAD_SIZE);
  EXPECT_THAT(text_, HasSubstr("sequence 0: q_len = 5"));
}

TEST_F(CpuLengths, RefusesAContextThatIsNegativeOrLongerThanItsTable) {
  batch_.seq_lens[1] = -1;
  EXPECT_EQ(call(), FERRUM_FA2_BAD_SIZE);
  batch_.seq_lens[1] = 16 * batch_.call.max_blocks_per_seq + 1;
  batch_.call.max_kv_len = 1 << 20;
  EXPECT_EQ(call(), FERRUM_FA2_BAD_SIZE);
  EXPECT_THAT(text_, HasSubstr("sequence 1: seq_lens = 81"));
}

TEST_F(CpuLengths, RefusesANegativeBlockInUse) {
  batch_.block_tables[1] = -1;
  EXPECT_EQ(call(), FERRUM_FA2_BAD_SIZE);
  EXPECT_STREQ(text_, "sequence 0: block_tables[1] = -1 is in use and negative");
}

}  // namespace
}  // namespace fa2bench::test
