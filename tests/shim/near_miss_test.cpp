// SPDX-License-Identifier: MIT
#include "shim/near_miss.hpp"

#include <gmock/gmock.h>

namespace fa2bench {
namespace {

TEST(NearMiss, SaysThatThereIsNoNameOfTheKind) {
  EXPECT_EQ(explain_missing_symbol("entry_point", {{"main", false}, {"", false}}),
            "it does not export entry_point, nor a name like it; define it as ferrum_fa2_shim.h "
            "says, with default visibility");
}

TEST(NearMiss, FindsTheNameInsideANamespace) {
  EXPECT_TRUE(is_mangled_form("_ZN3foo11entry_pointEv", "entry_point"));
  EXPECT_FALSE(is_mangled_form("entry_point", "entry_point"));
  EXPECT_FALSE(is_mangled_form("_Z12entry_pointsv", "entry_point"));
}

TEST(NearMiss, ListsAFewAndCutsLongNames) {
  std::vector<ElfSymbol> exported;
  for (int i = 0; i < 9; ++i) exported.push_back({"xx_paged_varlen_" + std::to_string(i), false});
  exported.front().name = "paged_varlen" + std::string(200, 'x');
  EXPECT_EQ(explain_missing_symbol("entry_point", exported),
            "it does not export entry_point; names like it: paged_varlen" + std::string(108, 'x') +
                "..., xx_paged_varlen_1, xx_paged_varlen_2, xx_paged_varlen_3, xx_paged_varlen_4; "
                "export it under the first name");
}

}  // namespace
}  // namespace fa2bench
