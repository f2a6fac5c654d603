// Any bytes: a request is read or refused with InputError, and what was read echoes to itself.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/issue.h"
#include "io/echo.h"
#include "io/parse.h"

namespace nestplan {
const char* embedded_presets();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nestplan;
  static const Presets presets(embedded_presets());
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Request request = parse_request(text, presets);
    if (parse_request(write_request(request).dump(), Presets()) != request) std::abort();
  } catch (const InputError& error) {
    if (error.issues().empty()) std::abort();
  }
  return 0;
}
