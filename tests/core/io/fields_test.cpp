#include "io/fields.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "base/issue.h"
#include "io/echo.h"
#include "io/parse.h"
#include "io/schema.h"

namespace nestplan {
namespace {

using nlohmann::ordered_json;
using Pointer = ordered_json::json_pointer;

// A request that gives every key but pins, so that each can be made wrong.
ordered_json whole_request() {
  const char* text = R"({
    "model": {"layers": 4, "hidden_size": 64, "heads": 4, "kv_heads": 4, "head_dim": 16,
              "ffn_size": 256, "vocab_size": 1000, "max_sequence_length": 2048},
    "cluster": {"devices": 8,
                "accelerator": {"memory_bytes": 8e10, "memory_bandwidth_bytes_per_s": 2e12,
                                "compute_flop_per_s": 3e14},
                "levels": [{"name": "node", "arity": 8, "bandwidth_bytes_per_s": 1e11}]},
    "stack": {"name": "mine", "zero": [1], "orders": ["tp-cp-ep-dp-pp"]}})";
  return write_request(parse_request(text, Presets()));
}

// "path code" of the only fault, or how many there are.
std::string only_fault(const ordered_json& document) {
  try {
    static_cast<void>(parse_request(document, Presets()));
  } catch (const InputError& error) {
    if (error.issues().size() == 1) return error.issues()[0].path + " " + error.issues()[0].code;
    return std::to_string(error.issues().size()) + " faults";
  }
  return "no fault";
}

std::string fault_with(const std::string& path, const ordered_json& value) {
  ordered_json document = whole_request();
  document[Pointer(path)] = value;
  return only_fault(document);
}

// Calls `visit(path, info, slot)` for every row below `path`.
template <class T, class Visit>
void each_field(T& target, const std::string& path, const Visit& visit) {
  for (const Field<T>& field : fields_of<T>()) {
    const std::string at = path + "/" + std::string(field.info.key);
    const Slot slot = field.slot(target);
    visit(at, field.info, slot);
    std::visit(
        [&](const auto& to) {
          using To = std::decay_t<decltype(to)>;
          if constexpr (GroupSlot<To>) {
            each_field(*to, at, visit);
          } else if constexpr (std::is_same_v<To, std::vector<Level>*>) {
            to->resize(1);
            each_field(to->front(), at + "/0", visit);
          }
        },
        slot);
  }
}

bool is_number(const Slot& slot) {
  return std::visit(
      [](const auto& to) {
        using To = std::decay_t<decltype(to)>;
        return std::is_same_v<To, std::int64_t*> || std::is_same_v<To, double*> ||
               std::is_same_v<To, std::optional<std::int64_t>*> || std::is_same_v<To, Seconds*> ||
               std::is_same_v<To, Bytes*> || std::is_same_v<To, BytesPerSecond*> ||
               std::is_same_v<To, FlopsPerSecond*>;
      },
      slot);
}

TEST(Fields, TheWholeRequestHasNoFault) { EXPECT_EQ(only_fault(whole_request()), "no fault"); }

TEST(Fields, EveryValueOfTheWrongTypeIsNamed) {
  Request request;
  each_field(request, "", [](const std::string& path, const FieldInfo&, const Slot&) {
    EXPECT_EQ(fault_with(path, nullptr), path + " wrong-type");
  });
}

TEST(Fields, EveryNumberIsHeldToItsBounds) {
  Request request;
  int numbers = 0;
  each_field(request, "", [&](const std::string& path, const FieldInfo& info, const Slot& slot) {
    if (!is_number(slot)) return;
    ++numbers;
    EXPECT_LT(info.range[0], info.range[1]) << path;
    const double step = info.range[0] >= 1 ? 1 : 0.5 * info.range[0] + 1e-9;
    EXPECT_EQ(fault_with(path, info.range[0] - step), path + " out-of-range");
    EXPECT_EQ(fault_with(path, info.range[1] * 1.01 + 1), path + " out-of-range");
    EXPECT_EQ(fault_with(path, "1"), path + " wrong-type");
  });
  EXPECT_GT(numbers, 70);
}

TEST(Fields, EveryWholeNumberRefusesAFraction) {
  Request request;
  each_field(request, "", [](const std::string& path, const FieldInfo& info, const Slot& slot) {
    if (!std::holds_alternative<std::int64_t*>(slot)) return;
    EXPECT_EQ(fault_with(path, info.range[0] + 0.5), path + " not-an-integer");
  });
}

TEST(Fields, EveryChoiceRefusesOtherWords) {
  Request request;
  each_field(request, "", [](const std::string& path, const FieldInfo& info, const Slot& slot) {
    EXPECT_EQ(info.choices.empty(), !std::holds_alternative<ChoiceSlot>(slot)) << path;
    if (info.choices.empty()) return;
    EXPECT_EQ(fault_with(path, "sideways"), path + " out-of-range");
  });
}

TEST(Fields, EveryRequiredKeyIsMissed) {
  Request request;
  each_field(request, "", [](const std::string& path, const FieldInfo& info, const Slot&) {
    if (info.presence != Presence::kRequired) return;
    ordered_json document = whole_request();
    const Pointer pointer(path);
    document[pointer.parent_pointer()].erase(pointer.back());
    EXPECT_EQ(only_fault(document), path + " missing");
  });
}

TEST(Fields, DefaultsAreWithinTheirBounds) {
  Request request;
  each_field(request, "", [](const std::string& path, const FieldInfo& info, const Slot& slot) {
    if (!is_number(slot) || info.presence != Presence::kDefault) return;
    const double* fallback = std::get_if<double>(&info.fallback);
    const double value = fallback ? *fallback : slot_value(info, slot).get<double>();
    EXPECT_GE(value, info.range[0]) << path;
    EXPECT_LE(value, info.range[1]) << path;
  });
}

TEST(Fields, EveryRowIsExplainedAndNamedOnce) {
  Request request;
  std::set<std::string> paths;
  each_field(request, "", [&](const std::string& path, const FieldInfo& info, const Slot&) {
    EXPECT_FALSE(info.title.empty()) << path;
    EXPECT_TRUE(info.help.ends_with(".")) << path;
    EXPECT_TRUE(paths.insert(path).second) << path;
  });
  EXPECT_GT(paths.size(), 120U);
}

}  // namespace
}  // namespace nestplan
