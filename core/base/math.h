// Deterministic transcendental functions: the same bits natively and in WebAssembly, because they
// use only + - * / and the exponent field. Never call the C library's log, exp or pow in core/.
#pragma once

#include <cstdint>

namespace nestplan {

// log2(x) for finite x > 0. Error below 1e-14 + 2^-52 times the result.
[[nodiscard]] double log2_of(double x);
// 2^x for |x| <= 1000. Relative error below 1e-14.
[[nodiscard]] double exp2_of(double x);
// x^y for x > 0. Relative error below 1e-12 for results within [1e-30, 1e30].
[[nodiscard]] double pow_of(double x, double y);

// ceil(a / b) for a >= 0, b > 0.
[[nodiscard]] constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

}  // namespace nestplan
