// Any text: a NEST instance is read, or refused with an InputError that holds at least one fault.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/issue.h"
#include "io/nest_instance.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    static_cast<void>(
        nestplan::parse_nest(std::string_view(reinterpret_cast<const char*>(data), size)));
  } catch (const nestplan::InputError& error) {
    if (error.issues().empty()) std::abort();
  }
  return 0;
}
