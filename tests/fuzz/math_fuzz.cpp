// Any bits: the functions of base/math.h answer with a finite number or refuse by CHECK.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "base/math.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  double x = 0;
  if (size < sizeof x) return 0;
  std::memcpy(&x, data, sizeof x);
  if (std::isinf(x)) return 0;  // outside the precondition
  try {
    const double log2 = nestplan::log2_of(x);
    if (!(log2 >= -1074 && log2 <= 1024)) std::abort();
    const double back = nestplan::exp2_of(log2);
    if (std::fabs(back - x) > 1e-12 * x) std::abort();
  } catch (const std::logic_error&) {  // not positive, or beyond exp2's range
  }
  return 0;
}
