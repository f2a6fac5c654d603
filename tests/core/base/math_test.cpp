// Holds the error bounds that base/math.h states, against the C library in long double.
#include "base/math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

namespace nestplan {
namespace {

constexpr double kLog2AbsoluteError = 1e-14;
constexpr double kExp2RelativeError = 1e-14;
constexpr double kPowRelativeError = 1e-12;

long double log2_error(double x) {
  return std::fabs(static_cast<long double>(log2_of(x)) - std::log2(static_cast<long double>(x)));
}

long double relative_error(double actual, long double expected) {
  return std::fabs((static_cast<long double>(actual) - expected) / expected);
}

double from_bits(std::uint64_t bits) {
  double x = 0;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

TEST(Log2, IsExactAtEveryPowerOfTwoSubnormalsIncluded) {
  for (int exponent = -1074; exponent <= 1023; ++exponent) {
    EXPECT_EQ(log2_of(std::ldexp(1.0, exponent)), exponent);
  }
}

TEST(Log2, HoldsItsAbsoluteBoundOnADenseGridOfTwoOctaves) {
  // [1/2, 2] holds the seam of the reduction at sqrt(1/2) and the zero at 1.
  for (int i = 1; i <= 400'000; ++i) {
    const double x = 0.5 + 1.5 * i / 400'000;
    ASSERT_LE(log2_error(x), kLog2AbsoluteError) << x;
  }
}

// The reduction splits at sqrt(1/2); the double on each side of it must not jump.
TEST(Log2, HoldsItsBoundBesideTheSeamOfTheReduction) {
  for (const double seam : {0.70710678118654752, 1.4142135623730951, 1.0}) {
    double x = seam;
    for (int i = 0; i < 1000; ++i) x = std::nextafter(x, 0.0);
    for (int i = 0; i < 2000; ++i) {
      ASSERT_LE(log2_error(x), kLog2AbsoluteError) << x;
      x = std::nextafter(x, 4.0);
    }
  }
}

TEST(Log2, HoldsItsAbsoluteBoundOverEveryFinitePositiveDouble) {
  // Far from 1 the result is near 1000, whose neighbours are 1.1e-13 apart: there the bound cannot
  // be below half of that. So the bound is 1e-14 plus one rounding of the result.
  std::mt19937_64 random(1);
  std::uniform_int_distribution<std::uint64_t> bits(1, 0x7fefffffffffffffULL);
  for (int i = 0; i < 400'000; ++i) {
    const double x = from_bits(bits(random));
    const auto rounding = std::fabs(log2_of(x)) * std::numeric_limits<double>::epsilon();
    ASSERT_LE(log2_error(x), kLog2AbsoluteError + rounding) << x;
  }
}

TEST(Log2, TakesTheEdgesOfTheRange) {
  const std::vector<double> edges = {
      std::numeric_limits<double>::denorm_min(), 3 * std::numeric_limits<double>::denorm_min(),
      std::nextafter(std::numeric_limits<double>::min(), 0.0), std::numeric_limits<double>::min(),
      std::numeric_limits<double>::max()};
  for (const double x : edges) {
    EXPECT_LE(relative_error(log2_of(x), std::log2(static_cast<long double>(x))), 3e-16L) << x;
  }
}

TEST(Log2, RefusesNumbersThatAreNotPositive) {
  EXPECT_THROW(static_cast<void>(log2_of(0)), std::logic_error);
  EXPECT_THROW(static_cast<void>(log2_of(-1)), std::logic_error);
  EXPECT_THROW(static_cast<void>(log2_of(std::nan(""))), std::logic_error);
}

TEST(Exp2, IsExactAtEveryWholeNumber) {
  for (int exponent = -999; exponent <= 999; ++exponent) {
    EXPECT_EQ(exp2_of(exponent), std::ldexp(1.0, exponent));
  }
}

TEST(Exp2, HoldsItsRelativeBoundOnADenseGrid) {
  for (int i = -400'000; i <= 400'000; ++i) {
    const double near_zero = i / 200'000.0;  // [-2, 2]: the seams at halves among them
    const double anywhere = i * 999.9 / 400'000;
    for (const double x : {near_zero, anywhere}) {
      ASSERT_LE(relative_error(exp2_of(x), std::exp2(static_cast<long double>(x))),
                kExp2RelativeError)
          << x;
    }
  }
}

TEST(Exp2, IsOneForTinyArguments) {
  EXPECT_EQ(exp2_of(0), 1);
  EXPECT_EQ(exp2_of(1e-300), 1);
  EXPECT_EQ(exp2_of(-std::numeric_limits<double>::denorm_min()), 1);
}

TEST(Exp2, RefusesArgumentsOutOfRange) {
  EXPECT_THROW(static_cast<void>(exp2_of(1000)), std::logic_error);
  EXPECT_THROW(static_cast<void>(exp2_of(-1000)), std::logic_error);
  EXPECT_THROW(static_cast<void>(exp2_of(std::nan(""))), std::logic_error);
}

TEST(Pow, HoldsItsRelativeBoundForResultsWithinThirtyDecades) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> decades(-30, 30);
  std::uniform_real_distribution<double> exponents(-8, 8);
  int checked = 0;
  while (checked < 200'000) {
    const double x = static_cast<double>(std::pow(10.0L, decades(random)));
    const double y = exponents(random);
    const long double expected = std::pow(static_cast<long double>(x), y);
    if (expected < 1e-30L || expected > 1e30L) continue;
    ASSERT_LE(relative_error(pow_of(x, y), expected), kPowRelativeError) << x << " ^ " << y;
    ++checked;
  }
}

TEST(Pow, TakesSimplePowers) {
  EXPECT_EQ(pow_of(2, 10), 1024);
  EXPECT_EQ(pow_of(1, 1e6), 1);
  EXPECT_EQ(pow_of(7, 0), 1);
  EXPECT_NEAR(pow_of(9, 0.5), 3, 3 * kPowRelativeError);
  EXPECT_NEAR(pow_of(10, -3), 1e-3, 1e-3 * kPowRelativeError);
}

TEST(CeilDiv, RoundsUp) {
  EXPECT_EQ(ceil_div(0, 8), 0);
  EXPECT_EQ(ceil_div(1, 8), 1);
  EXPECT_EQ(ceil_div(8, 8), 1);
  EXPECT_EQ(ceil_div(9, 8), 2);
}

}  // namespace
}  // namespace nestplan
