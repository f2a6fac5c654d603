#include "base/units.h"

#include <gtest/gtest.h>

#include <concepts>
#include <type_traits>

namespace nestplan {
namespace {

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept Divisible = requires(A a, B b) {
  a / b;
};
template <class A, class B>
concept Comparable = requires(A a, B b) {
  a < b;
};

TEST(Units, OnlyLikeAddsToLike) {
  static_assert(Addable<Seconds, Seconds>);
  static_assert(!Addable<Seconds, Bytes>);
  static_assert(!Addable<Seconds, double>);
  static_assert(!Comparable<Seconds, Bytes>);
  EXPECT_EQ((Seconds(1.5) + Seconds(2.5)).value(), 4);
  EXPECT_EQ((Seconds(1.5) - Seconds(2.5)).value(), -1);
}

TEST(Units, ANumberBecomesAQuantityOnlyWhenAsked) {
  static_assert(!std::is_convertible_v<double, Seconds>);
  static_assert(!std::is_convertible_v<Seconds, double>);
  static_assert(std::is_constructible_v<Seconds, double>);
  EXPECT_EQ(Seconds().value(), 0);
}

TEST(Units, AnAmountOverARateIsATime) {
  static_assert(std::same_as<decltype(Bytes() / BytesPerSecond()), Seconds>);
  static_assert(std::same_as<decltype(Flops() / FlopsPerSecond()), Seconds>);
  static_assert(!Divisible<Bytes, FlopsPerSecond>);
  static_assert(!Divisible<Bytes, Seconds>);
  // 50 GB over 450 GB/s: 1/9 s.
  EXPECT_EQ((Bytes(50 * kGiga) / BytesPerSecond(450 * kGiga)).value(), 50 * kGiga / (450 * kGiga));
  EXPECT_EQ((Flops(1e15) / FlopsPerSecond(5e14)).value(), 2);
}

TEST(Units, ARatioOfLikesIsANumber) {
  static_assert(std::same_as<decltype(Bytes() / Bytes()), double>);
  EXPECT_EQ(Bytes(6) / Bytes(4), 1.5);
}

TEST(Units, ScaleByNumbersFromEitherSide) {
  EXPECT_EQ((Seconds(3) * 2).value(), 6);
  EXPECT_EQ((2 * Seconds(3)).value(), 6);
  EXPECT_EQ((Seconds(3) / 2).value(), 1.5);
  Seconds total(1);
  total += Seconds(2);
  total -= Seconds(0.5);
  total *= 4;
  EXPECT_EQ(total.value(), 10);
}

TEST(Units, Compare) {
  EXPECT_LT(Seconds(1), Seconds(2));
  EXPECT_EQ(Seconds(1), Seconds(1));
  EXPECT_EQ(max(Bytes(1), Bytes(2)), Bytes(2));
  EXPECT_EQ(min(Bytes(1), Bytes(2)), Bytes(1));
}

TEST(Units, GibiIsBinaryAndGigaDecimal) {
  EXPECT_EQ(kGibi, 1073741824.0);
  EXPECT_EQ(kGiga, 1000000000.0);
  static_assert(Bytes(80 * kGibi) > Bytes(80 * kGiga));
}

}  // namespace
}  // namespace nestplan
