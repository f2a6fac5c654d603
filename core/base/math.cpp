#include "base/math.h"

#include <cstring>

#include "base/check.h"

namespace nestplan {
namespace {

constexpr double kLn2 = 0.693147180559945309417232121458;
constexpr double kSqrtHalf = 0.707106781186547524400844362105;

// x = mantissa * 2^exponent with mantissa in [sqrt(1/2), sqrt(2)).
struct Split {
  double mantissa;
  std::int64_t exponent;
};

Split split(double x) {
  std::int64_t shift = 0;
  if (x < 2.2250738585072014e-308) {  // subnormal: scale into the normal range first
    x *= 18014398509481984.0;         // 2^54
    shift = -54;
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  std::int64_t exponent = static_cast<std::int64_t>((bits >> 52) & 0x7ff) - 1022;
  bits = (bits & 0x800fffffffffffffULL) | 0x3fe0000000000000ULL;  // mantissa in [1/2, 1)
  double mantissa = 0;
  std::memcpy(&mantissa, &bits, sizeof mantissa);
  if (mantissa < kSqrtHalf) {
    mantissa *= 2;
    --exponent;
  }
  return {mantissa, exponent + shift};
}

double power_of_two(std::int64_t exponent) {
  const auto bits = static_cast<std::uint64_t>(exponent + 1023) << 52;
  double result = 0;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

}  // namespace

double log2_of(double x) {
  CHECK(x > 0, "log2 of a number that is not positive");
  const Split parts = split(x);
  // ln(m) = 2 atanh(z), z = (m - 1) / (m + 1), |z| <= 0.1716: the odd series to z^21 errs < 1e-17.
  const double z = (parts.mantissa - 1) / (parts.mantissa + 1);
  const double z2 = z * z;
  double series = 0;
  for (int n = 21; n >= 1; n -= 2) series = series * z2 + 1.0 / n;
  return static_cast<double>(parts.exponent) + 2 * z * series / kLn2;
}

double exp2_of(double x) {
  CHECK(x > -1000 && x < 1000, "exp2 argument out of range");
  const auto whole = static_cast<std::int64_t>(x < 0 ? x - 0.5 : x + 0.5);
  const double t = (x - static_cast<double>(whole)) * kLn2;  // |t| <= 0.3466: 14 terms err < 1e-17
  double series = 1;
  for (int n = 14; n >= 1; --n) series = 1 + series * t / n;
  return series * power_of_two(whole);
}

double pow_of(double x, double y) { return exp2_of(y * log2_of(x)); }

}  // namespace nestplan
