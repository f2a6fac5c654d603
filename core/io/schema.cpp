#include "io/schema.h"

#include <string>
#include <type_traits>
#include <utility>

#include "io/echo.h"
#include "io/fields.h"

namespace nestplan {
namespace {

using nlohmann::ordered_json;

ordered_json exact(double value) {
  if (value < 9e15) {
    const auto whole = static_cast<std::int64_t>(value);
    if (static_cast<double>(whole) == value) return whole;
  }
  return value;
}

ordered_json number(const FieldInfo& info, const char* type) {
  return {{"type", type}, {"minimum", exact(info.range[0])}, {"maximum", exact(info.range[1])}};
}

ordered_json text(const FieldInfo& info) {
  ordered_json node = {{"type", "string"}};
  if (info.is_order) {
    node["pattern"] = "^(tp|cp|ep|dp|pp)(-(tp|cp|ep|dp|pp)){4}$";
  } else {
    node["minLength"] = exact(info.range[0]);
    node["maxLength"] = exact(info.range[1]);
  }
  return node;
}

ordered_json array(const FieldInfo& info, ordered_json items) {
  return {{"type", "array"},
          {"items", std::move(items)},
          {"minItems", exact(info.entries[0])},
          {"maxItems", exact(info.entries[1])}};
}

template <class T>
ordered_json object();

// What a slot of each type accepts.
template <class To>
ordered_json shape(const FieldInfo& info) {
  if constexpr (std::is_same_v<To, std::int64_t>) {
    return number(info, "integer");
  } else if constexpr (std::is_same_v<To, bool>) {
    return {{"type", "boolean"}};
  } else if constexpr (std::is_same_v<To, std::string>) {
    return text(info);
  } else if constexpr (std::is_same_v<To, std::vector<std::int64_t>>) {
    return array(info, number(info, "integer"));
  } else if constexpr (std::is_same_v<To, std::vector<std::string>>) {
    return array(info, text(info));
  } else if constexpr (std::is_same_v<To, std::vector<Level>>) {
    return array(info, object<Level>());
  } else if constexpr (GroupSlot<To*>) {
    return object<To>();
  } else {
    return number(info, "number");
  }
}
template <class To>
ordered_json shape_of(const FieldInfo& info, To*) {
  return shape<To>(info);
}
template <class To>
ordered_json shape_of(const FieldInfo& info, std::optional<To>*) {
  return shape<To>(info);
}
ordered_json shape_of(const FieldInfo& info, const ChoiceSlot&) {
  ordered_json names = ordered_json::array();
  for (const std::string_view name : info.choices) names.push_back(std::string(name));
  return {{"type", "string"}, {"enum", std::move(names)}};
}

// An object that a preset may fill: the id alone, or an object with "preset" and what differs.
// Which keys are required depends on the preset, so the schema does not say.
ordered_json with_presets(const FieldInfo& info, ordered_json node) {
  ordered_json id = {{"type", "string"},
                     {"title", "Preset"},
                     {"description", "The id of one of the " + std::string(info.preset_kind) +
                                         " presets; keys beside it replace its own."}};
  if (!info.preset.empty()) id["default"] = std::string(info.preset);
  ordered_json properties = {{"preset", id}};
  properties.update(node["properties"]);
  node["properties"] = std::move(properties);
  node.erase("required");
  ordered_json whole = {{"anyOf", {{{"type", "string"}}, std::move(node)}}};
  return whole;
}

void describe(const FieldInfo& info, const Slot& slot, ordered_json& node) {
  node["title"] = std::string(info.title);
  node["description"] = std::string(info.help);
  if (!info.unit.empty()) node["x-unit"] = std::string(info.unit);
  if (!info.source.empty()) node["x-source"] = std::string(info.source);
  if (info.presence != Presence::kDefault) return;
  const bool plain = !node.contains("properties") && !node.contains("anyOf");
  if (!info.preset.empty()) {
    node["default"] = {{"preset", std::string(info.preset)}};
  } else if (const double* value = std::get_if<double>(&info.fallback)) {
    node["default"] = exact(*value);
  } else if (const auto* name = std::get_if<std::string_view>(&info.fallback)) {
    node["default"] = std::string(*name);
  } else if (plain) {
    ordered_json initial = slot_value(info, slot);
    node["default"] = initial.is_null() ? ordered_json::array() : std::move(initial);
  }
}

template <class T>
ordered_json object() {
  T blank{};
  ordered_json properties = ordered_json::object();
  ordered_json required = ordered_json::array();
  for (const Field<T>& field : fields_of<T>()) {
    const Slot slot = field.slot(blank);
    const std::string key(field.info.key);
    ordered_json node = std::visit([&](const auto& to) { return shape_of(field.info, to); }, slot);
    if (!field.info.preset_kind.empty()) node = with_presets(field.info, std::move(node));
    describe(field.info, slot, node);
    if (field.info.presence == Presence::kRequired) required.push_back(key);
    properties[key] = std::move(node);
  }
  ordered_json node = {{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) node["required"] = std::move(required);
  node["additionalProperties"] = false;
  return node;
}

}  // namespace

ordered_json request_schema() {
  ordered_json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                         {"title", "nestplan request"},
                         {"description",
                          "Which model to train on which machines with which software. Everything "
                          "left out has the default that its field states."}};
  ordered_json root = object<Request>();
  ordered_json format = {{"const", "nestplan.request/1"},
                         {"title", "Format"},
                         {"description", "What this document is, and in which version."}};
  ordered_json properties = {{"format", std::move(format)}};
  properties.update(root["properties"]);
  root["properties"] = std::move(properties);
  schema.update(root);
  return schema;
}

}  // namespace nestplan
