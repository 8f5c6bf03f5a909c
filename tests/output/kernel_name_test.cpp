// SPDX-License-Identifier: MIT
#include "output/kernel_name.hpp"

#include <gtest/gtest.h>

namespace fa2bench {
namespace {

TEST(ShortKernelName, IsThatOfAPlainFunction) {
  EXPECT_EQ(short_kernel_name("combine"), "combine");
  EXPECT_EQ(short_kernel_name("combine(float*, int)"), "combine");
  EXPECT_EQ(short_kernel_name(""), "");
}

TEST(ShortKernelName, HasNoReturnTypeParametersOrNamespaces) {
  EXPECT_EQ(short_kernel_name("void fa2::detail::attention<__half, 128>(fa2::Params<float>, int)"),
            "attention<__half, 128>");
  EXPECT_EQ(short_kernel_name("unsigned int count<float>(void (*)(int))"), "count<float>");
}

TEST(ShortKernelName, HasNoCastsAndNoAnonymousNamespaces) {
  EXPECT_EQ(short_kernel_name(
                "void (anonymous namespace)::attend<(int)128, (bool)1, (unsigned int)4>((anonymous "
                "namespace)::Params)"),
            "attend<128, 1, 4>");
}

TEST(ShortKernelName, DropsTheArgumentsOfArgumentsOnlyWhereItIsLong) {
  const std::string flash =
      "void flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<128, 64, 128, 4, false, false, "
      "cutlass::half_t, Flash_kernel_traits<128, 64, 128, 4, cutlass::half_t>>, true, false>"
      "(flash::Flash_fwd_params)";
  EXPECT_EQ(short_kernel_name(flash, 80),
            "flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<…>, true, false>");
  EXPECT_EQ(short_kernel_name(flash, 30), "flash_fwd_splitkv_kernel<Flash…");
  EXPECT_EQ(short_kernel_name("void k<A<1>, B<C<2>>>(int)", 20), "k<A<1>, B<C<2>>>");
}

TEST(ShortKernelName, CutsNoLetterInHalves) { EXPECT_EQ(short_kernel_name("ääää", 5), "ää…"); }

TEST(ShortKernelName, LeavesWhatItDoesNotUnderstand) {
  EXPECT_EQ(short_kernel_name(")("), ")(");
  EXPECT_EQ(short_kernel_name("(x)"), "(x)");
  EXPECT_EQ(short_kernel_name(">><"), ">><");
  EXPECT_EQ(short_kernel_name("::"), "::");
}

}  // namespace
}  // namespace fa2bench
