#include "io/echo.h"

#include <cmath>
#include <string>
#include <utility>

namespace nestplan {
namespace {

using nlohmann::ordered_json;

// Whole numbers without a fraction, as people write them.
ordered_json number(double value) {
  if (std::abs(value) < 9e15 && value == std::floor(value)) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

template <class T>
ordered_json group(T& from) {
  ordered_json object = ordered_json::object();
  for (const Field<T>& field : fields_of<T>()) {
    ordered_json value = slot_value(field.info, field.slot(from));
    if (!value.is_null()) object[std::string(field.info.key)] = std::move(value);
  }
  return object;
}

ordered_json leaf(double value) { return number(value); }
template <class Unit>
ordered_json leaf(Quantity<Unit> value) {
  return number(value.value());
}
template <class T>
ordered_json leaf(const T& value) {
  return value;
}
ordered_json leaf(const std::vector<std::int64_t>& values) {
  return values.empty() ? ordered_json() : ordered_json(values);
}
template <class T>
ordered_json leaf(const std::optional<T>& value) {
  return value ? leaf(*value) : ordered_json();
}
ordered_json leaf(std::vector<Level>& levels) {
  ordered_json all = ordered_json::array();
  for (Level& level : levels) all.push_back(group(level));
  return all;
}

}  // namespace

ordered_json slot_value(const FieldInfo& info, const Slot& slot) {
  return std::visit(
      [&](const auto& from) -> ordered_json {
        using From = std::decay_t<decltype(from)>;
        if constexpr (std::is_same_v<From, ChoiceSlot>) {
          const int index = from.get(from.target);
          if (index < 0) return nullptr;
          return std::string(info.choices[static_cast<std::size_t>(index)]);
        } else if constexpr (std::is_same_v<From, LatentAttention*> ||
                             std::is_same_v<From, MixtureOfExperts*>) {
          return *from == std::remove_pointer_t<From>{} ? ordered_json() : group(*from);
        } else if constexpr (GroupSlot<From>) {
          return group(*from);
        } else {
          return leaf(*from);
        }
      },
      slot);
}

ordered_json write_request(const Request& request) {
  Request copy = request;  // slots are places to write to as well
  ordered_json document = {{"format", "nestplan.request/1"}};
  document.update(group(copy));
  return document;
}

}  // namespace nestplan
