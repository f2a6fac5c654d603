// The field table: every key of a request once, with its place in the C++ structs, bounds, default,
// unit, choices and help. Parsing, the echo, the JSON Schema and the page's form come from it.
// The rows are in fields_*.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/units.h"
#include "plan/request.h"

namespace nestplan {

enum class Presence {
  kDefault,   // may be left out: `fallback`, else what the struct begins with
  kRequired,  // must be given, by the document or by a preset it names
  kFree,      // may be left out, and then has no value
};

// A row of the table, apart from its place in a struct.
struct FieldInfo {
  std::string_view key;
  std::string_view title;
  std::string_view unit = {};              // "" for a bare number
  std::array<double, 2> range = {0, 0};    // of a number, of an array's numbers, of a text's length
  std::array<double, 2> entries = {0, 0};  // of an array
  Presence presence = Presence::kDefault;
  std::variant<std::monostate, double, std::string_view> fallback = {};
  std::vector<std::string_view> choices = {};  // in the order of the enumerators
  bool is_order = false;                       // what parse_order accepts
  std::string_view preset_kind = {};           // the presets that may fill this object
  std::string_view preset = {};  // the one used where neither "preset" nor "name" is given
  std::string_view help = {};
  std::string_view source = {};  // of the default
};

// A place for one of FieldInfo::choices, by index; -1: an empty optional.
struct ChoiceSlot {
  void* target;
  int (*get)(const void*);
  void (*set)(void*, int);
};

using Slot =
    std::variant<std::int64_t*, double*, bool*, std::string*, Seconds*, Bytes*, BytesPerSecond*,
                 FlopsPerSecond*, std::vector<std::int64_t>*, std::vector<std::string>*,
                 std::optional<std::int64_t>*, std::optional<bool>*, std::optional<std::string>*,
                 std::optional<std::vector<std::int64_t>>*, ChoiceSlot, std::vector<Level>*,
                 LatentAttention*, MixtureOfExperts*, ModelSpec*, Accelerator*, Cluster*, Training*,
                 Stack*, Pins*, SearchSettings*>;

template <class Enum>
[[nodiscard]] Slot enum_slot(Enum* target) {
  return ChoiceSlot{
      target, [](const void* from) { return static_cast<int>(*static_cast<const Enum*>(from)); },
      [](void* to, int index) { *static_cast<Enum*>(to) = static_cast<Enum>(index); }};
}
template <class Enum>
[[nodiscard]] Slot enum_slot(std::optional<Enum>* target) {
  using Place = std::optional<Enum>;
  return ChoiceSlot{
      target,
      [](const void* from) {
        const Place& place = *static_cast<const Place*>(from);
        return place ? static_cast<int>(*place) : -1;
      },
      [](void* to, int index) { *static_cast<Place*>(to) = static_cast<Enum>(index); }};
}

// Where a member lies: at<&ModelSpec::layers>(model).
template <class>
struct OwnerOf;
template <class Owner, class Member>
struct OwnerOf<Member Owner::*> {
  using Type = Owner;
};
template <auto kMember>
[[nodiscard]] Slot at(typename OwnerOf<decltype(kMember)>::Type& owner) {
  auto* target = &(owner.*kMember);
  if constexpr (std::is_constructible_v<Slot, decltype(target)>) {
    return target;
  } else {
    return enum_slot(target);
  }
}

template <class T>
struct Field {
  FieldInfo info;
  Slot (*slot)(T&);
};

// The rows of one struct, in the order they are written.
template <class T>
[[nodiscard]] const std::vector<Field<T>>& fields_of();
template <>
const std::vector<Field<LatentAttention>>& fields_of();
template <>
const std::vector<Field<MixtureOfExperts>>& fields_of();
template <>
const std::vector<Field<ModelSpec>>& fields_of();
template <>
const std::vector<Field<Accelerator>>& fields_of();
template <>
const std::vector<Field<Level>>& fields_of();
template <>
const std::vector<Field<Cluster>>& fields_of();
template <>
const std::vector<Field<Training>>& fields_of();
template <>
const std::vector<Field<Stack>>& fields_of();
template <>
const std::vector<Field<Pins>>& fields_of();
template <>
const std::vector<Field<SearchSettings>>& fields_of();
template <>
const std::vector<Field<Request>>& fields_of();

// A pointer to a struct with rows of its own.
template <class To>
concept GroupSlot = std::is_same_v<To, LatentAttention*> || std::is_same_v<To, MixtureOfExperts*> ||
    std::is_same_v<To, ModelSpec*> || std::is_same_v<To, Accelerator*> ||
    std::is_same_v<To, Cluster*> || std::is_same_v<To, Training*> || std::is_same_v<To, Stack*> ||
    std::is_same_v<To, Pins*> || std::is_same_v<To, SearchSettings*>;

// The only default that depends on another value: the table's sequence length, or the model's
// longest where that is shorter.
[[nodiscard]] std::int64_t default_sequence_length(const ModelSpec& model);

}  // namespace nestplan
