#include "io/parse.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/check.h"
#include "io/field_values.h"
#include "io/fields.h"
#include "io/parse_text.h"
#include "io/request_checks.h"
#include "io/strict_json.h"
#include "io/value_reader.h"
#include "model/validate.h"

namespace nestplan {
namespace {

using nlohmann::ordered_json;

constexpr const char* kFormat = "nestplan.request/1";

// Reads twice into the same structs where a preset is named: first its value, then what the
// document says itself. `given_` remembers what was read; `finish` fills in the rest.
class RequestReader {
 public:
  explicit RequestReader(const Presets& presets) : presets_(presets) {}
  [[nodiscard]] Request read(const ordered_json& document);

 private:
  template <class T>
  void read_object(T& target, const ordered_json& value, const std::string& path,
                   const FieldInfo& group);
  template <class T>
  void read_group(T& target, const ValueAt& at);
  template <class T>
  void start_from_preset(T& target, const std::string& id, const std::string& path,
                         const FieldInfo& info, const std::string& id_path);
  void read_slot(const Slot& slot, const ValueAt& at);
  void read_levels(std::vector<Level>& levels, const ValueAt& at);
  template <class T>
  void finish(T& target, const std::string& path);
  void finish_slot(const FieldInfo& info, const Slot& slot, const std::string& path);
  void forget_below(const std::string& path);

  const Presets& presets_;
  IssueList issues_;
  std::set<std::string> given_;   // pointers of known keys that were read
  std::set<std::string> broken_;  // groups whose missing keys say nothing new
};

// What a wrong key may have meant: the group's keys.
template <class T>
std::vector<std::string> key_names(const FieldInfo& group) {
  std::vector<std::string> names;
  for (const Field<T>& field : fields_of<T>()) names.emplace_back(field.info.key);
  if (!group.preset_kind.empty()) names.emplace_back("preset");
  return names;
}

template <class T>
void RequestReader::read_object(T& target, const ordered_json& value, const std::string& path,
                                const FieldInfo& group) {
  const std::vector<Field<T>>& fields = fields_of<T>();
  const std::vector<std::string> names = key_names<T>(group);
  for (const auto& [key, member] : value.items()) {
    if (key == "preset" && !group.preset_kind.empty()) continue;
    if (key == "format" && path.empty()) continue;
    const std::string& name = key;
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&](const Field<T>& each) { return each.info.key == name; });
    const std::string at = path + pointer_step(key);
    if (field == fields.end()) {
      issues_.add(at, "unknown-key", "the key is unknown", meant_text(key, names));
      continue;
    }
    given_.insert(at);
    read_slot(field->slot(target), ValueAt{field->info, member, at, issues_});
  }
}

void RequestReader::forget_below(const std::string& path) {
  const std::string first = path + "/";
  given_.erase(given_.lower_bound(first), given_.lower_bound(path + "0"));  // '0' follows '/'
}

template <class T>
void RequestReader::start_from_preset(T& target, const std::string& id, const std::string& path,
                                      const FieldInfo& info, const std::string& id_path) {
  target = T{};
  forget_below(path);
  const ordered_json* preset = presets_.value(info.preset_kind, id);
  if (preset != nullptr) {
    read_object(target, *preset, path, info);
    return;
  }
  broken_.insert(path);
  issues_.add(id_path, "unknown-preset",
              found_text(id) + "; allowed: the id of one of the " + std::string(info.preset_kind) +
                  " presets",
              meant_text(id, presets_.ids(info.preset_kind)));
}

template <class T>
void RequestReader::read_group(T& target, const ValueAt& at) {
  const FieldInfo& info = at.info;
  const bool has_presets = !info.preset_kind.empty();
  if (has_presets && at.value.is_string()) {
    start_from_preset(target, at.value.get<std::string>(), at.path, info, at.path);
    return;
  }
  if (!at.value.is_object()) {
    broken_.insert(at.path);
    issues_.add(at.path, "wrong-type",
                found_text(at.value) + "; allowed: an object" +
                    (has_presets ? " or the id of a preset" : ""));
    return;
  }
  const auto named = has_presets ? at.value.find("preset") : at.value.end();
  const std::string id_path = at.path + "/preset";
  if (named == at.value.end()) {
    if (!info.preset.empty() && !at.value.contains("name"))
      start_from_preset(target, std::string(info.preset), at.path, info, id_path);
  } else if (named->is_string()) {
    start_from_preset(target, named->get<std::string>(), at.path, info, id_path);
  } else {
    broken_.insert(at.path);
    issues_.add(id_path, "wrong-type", found_text(*named) + "; allowed: the id of a preset");
  }
  read_object(target, at.value, at.path, info);
}

void RequestReader::read_levels(std::vector<Level>& levels, const ValueAt& at) {
  forget_below(at.path);
  if (!check_array(at)) return;
  levels.assign(at.value.size(), Level{});
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::string path = at.path + "/" + std::to_string(i);
    if (at.value[i].is_object()) {
      read_object(levels[i], at.value[i], path, FieldInfo{});
      finish(levels[i], path);
    } else {
      issues_.add(path, "wrong-type", found_text(at.value[i]) + "; allowed: an object");
    }
  }
}

// Overloads for the kinds of slot: what to read and how to store it.
template <class T, class Value>
void store(T* target, std::optional<Value> value) {
  if (value) *target = T(*std::move(value));
}
void read_leaf(std::int64_t* to, const ValueAt& at) { store(to, read_whole(at)); }
void read_leaf(double* to, const ValueAt& at) { store(to, read_number(at)); }
void read_leaf(bool* to, const ValueAt& at) { store(to, read_flag(at)); }
void read_leaf(std::string* to, const ValueAt& at) { store(to, read_text(at)); }
void read_leaf(std::vector<std::int64_t>* to, const ValueAt& at) { store(to, read_wholes(at)); }
void read_leaf(std::vector<std::string>* to, const ValueAt& at) { store(to, read_texts(at)); }
void read_leaf(const ChoiceSlot& to, const ValueAt& at) {
  if (const std::optional<int> index = read_choice(at)) to.set(to.target, *index);
}
template <class Unit>
void read_leaf(Quantity<Unit>* to, const ValueAt& at) {
  store(to, read_number(at));
}
template <class T>
void read_leaf(std::optional<T>* to, const ValueAt& at) {
  T value{};
  read_leaf(&value, at);
  *to = std::move(value);
}

void RequestReader::read_slot(const Slot& slot, const ValueAt& at) {
  std::visit(
      [&](const auto& to) {
        using To = std::decay_t<decltype(to)>;
        if constexpr (GroupSlot<To>) {
          read_group(*to, at);
        } else if constexpr (std::is_same_v<To, std::vector<Level>*>) {
          read_levels(*to, at);
        } else {
          read_leaf(to, at);
        }
      },
      slot);
}

void store_number(std::int64_t* to, double number) { *to = static_cast<std::int64_t>(number); }
void store_number(double* to, double number) { *to = number; }
template <class Unit>
void store_number(Quantity<Unit>* to, double number) {
  *to = Quantity<Unit>(number);
}
template <class Other>
void store_number(const Other&, double) {
  CHECK(false, "a numeric default for a field that is not a number");
}

void store_fallback(const FieldInfo& info, const Slot& slot) {
  if (const double* number = std::get_if<double>(&info.fallback)) {
    std::visit([&](const auto& to) { store_number(to, *number); }, slot);
  } else if (const auto* text = std::get_if<std::string_view>(&info.fallback)) {
    *std::get<std::string*>(slot) = std::string(*text);
  }
}

void RequestReader::finish_slot(const FieldInfo& info, const Slot& slot, const std::string& path) {
  const bool given = given_.contains(path);
  if (!given && !info.preset.empty()) {
    const ordered_json nothing = ordered_json::object();
    read_slot(slot, ValueAt{info, nothing, path, issues_});
  } else if (!given && info.presence == Presence::kRequired) {
    issues_.add(path, "missing", "the key is missing; it stands for: " + std::string(info.help));
    return;
  } else if (!given) {
    store_fallback(info, slot);
  }
  std::visit(
      [&](const auto& to) {
        if constexpr (GroupSlot<std::decay_t<decltype(to)>>) finish(*to, path);
      },
      slot);
}

template <class T>
void RequestReader::finish(T& target, const std::string& path) {
  if (broken_.contains(path)) return;
  for (const Field<T>& field : fields_of<T>())
    finish_slot(field.info, field.slot(target), path + pointer_step(field.info.key));
}

Request RequestReader::read(const ordered_json& document) {
  Request request;
  if (!document.is_object()) {
    issues_.add("", "wrong-type", found_text(document) + "; allowed: a request, an object");
    issues_.finish();
  }
  const auto format = document.find("format");
  if (format != document.end() && *format != kFormat)
    issues_.add("/format", "bad-format",
                found_text(*format) + "; allowed: \"" + std::string(kFormat) + "\"");
  read_object(request, document, "", FieldInfo{});
  finish(request, "");
  if (!given_.contains("/training/sequence_length"))
    request.training.sequence_length = default_sequence_length(request.model);
  if (!issues_.any_below("/cluster")) check_cluster(request.cluster, issues_);
  if (!issues_.any_below("/model")) {
    for (Issue& issue : validate_model(request.model))
      issues_.add(std::move(issue.path), std::move(issue.code), std::move(issue.message),
                  std::move(issue.hint));
    if (!issues_.any_below("/training")) check_training(request, issues_);
  }
  issues_.finish();
  return request;
}

}  // namespace

Request parse_request(std::string_view text, const Presets& presets) {
  return request_from_json(parse_strict_json(text), presets);
}

Request request_from_json(const ordered_json& document, const Presets& presets) {
  return RequestReader(presets).read(document);
}

}  // namespace nestplan
