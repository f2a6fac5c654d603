#include "io/fields.h"

#include <algorithm>

namespace nestplan {

std::int64_t default_sequence_length(const ModelSpec& model) {
  for (const Field<Training>& field : fields_of<Training>()) {
    if (field.info.key != "sequence_length") continue;
    const auto most = static_cast<std::int64_t>(std::get<double>(field.info.fallback));
    return std::min(most, std::max<std::int64_t>(model.max_sequence_length, 1));
  }
  return 0;
}

}  // namespace nestplan
