#include "cli/quantity.h"

#include <gtest/gtest.h>

namespace nestplan {
namespace {

TEST(Quantity, HasThreeSignificantDigits) {
  EXPECT_EQ(significant_text(8.678), "8.68");
  EXPECT_EQ(significant_text(966412), "966,000");
  EXPECT_EQ(significant_text(0.01234), "0.0123");
  EXPECT_EQ(significant_text(99.96), "100");
  EXPECT_EQ(significant_text(0), "0");
  EXPECT_EQ(significant_text(-1234.5), "-1,230");
}

TEST(Quantity, PicksItsUnitAfterRounding) {
  EXPECT_EQ(seconds_text(0.9996), "1.00 s");
  EXPECT_EQ(seconds_text(0.0123), "12.3 ms");
  EXPECT_EQ(tokens_text(15e12), "15.0 T");
  EXPECT_EQ(dollars_text(11.03e6), "$11.0 M");
}

TEST(Quantity, SaysThatAShareIsTooSmallToShow) {
  EXPECT_EQ(percent_text(0.4587), "45.9 %");
  EXPECT_EQ(percent_text(0.0004), "<0.1 %");
  EXPECT_EQ(percent_text(0), "0.0 %");
}

TEST(Quantity, GroupsThousands) {
  EXPECT_EQ(count_text(16384), "16,384");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(-1234567), "-1,234,567");
  EXPECT_EQ(fixed_text(1234.5, 2), "1,234.50");
}

}  // namespace
}  // namespace nestplan
