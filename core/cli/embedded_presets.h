// The bundle of presets/, as the build wrote it into the binary.
#pragma once

namespace nestplan {

[[nodiscard]] const char* embedded_presets();

}  // namespace nestplan
