#include "cli/args.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace nestplan {

using nlohmann::ordered_json;

namespace {

// A flag that stands for one field of a request.
struct FieldFlag {
  std::string_view flag;
  std::string_view pointer;
  bool number;
};
constexpr std::array kFieldFlags{
    FieldFlag{"--model", "/model/preset", false},
    FieldFlag{"--cluster", "/cluster/preset", false},
    FieldFlag{"--devices", "/cluster/devices", true},
    FieldFlag{"--batch", "/training/global_batch_sequences", true},
    FieldFlag{"--seq", "/training/sequence_length", true},
    FieldFlag{"--stack", "/stack/preset", false},
    FieldFlag{"--tokens", "/training/tokens", true},
};

// JSON where it is JSON, else the text itself: 8, true, none.
ordered_json loose_value(const std::string& text) {
  constexpr std::size_t kLongest = 1U << 16U;
  ordered_json value = text.size() <= kLongest ? ordered_json::parse(text, nullptr, false)
                                               : ordered_json(ordered_json::value_t::discarded);
  return value.is_discarded() ? ordered_json(text) : value;
}

// 1024, 15T, 8.2k, 1e9; nothing when it is not a number.
std::optional<ordered_json> number_value(std::string text) {
  constexpr std::string_view kSuffixes = "kMBT";
  double factor = 1;
  const std::size_t at = text.empty() ? std::string::npos : kSuffixes.find(text.back());
  if (at != std::string::npos) {
    for (std::size_t i = 0; i <= at; ++i) factor *= 1000;
    text.pop_back();
  }
  const ordered_json value = ordered_json::parse(text, nullptr, false);
  if (!value.is_number()) return std::nullopt;
  if (factor == 1) return value;
  const double scaled = value.get<double>() * factor;
  constexpr double kMostExact = 9e15;
  const auto whole = static_cast<std::int64_t>(std::clamp(scaled, -kMostExact, kMostExact));
  if (static_cast<double>(whole) == scaled) return ordered_json(whole);
  return ordered_json(scaled);
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

// stage_layers=20/20/20/20 is a list, everything else one value.
ordered_json pin_value(const std::string& key, const std::string& text) {
  if (key != "stage_layers") return loose_value(text);
  ordered_json list = ordered_json::array();
  for (const std::string& part : split(text, '/')) list.push_back(loose_value(part));
  return list;
}

class Parser {
 public:
  explicit Parser(std::span<const std::string> words) : words_(words) {}

  Args parse() {
    while (next_ < words_.size()) read_word(words_[next_++]);
    return std::move(args_);
  }

 private:
  void report(const std::string& flag, const std::string& message, const std::string& hint = "") {
    args_.issues.push_back(Issue{flag, "bad-argument", message, hint});
  }

  // "--flag=value" or "--flag value".
  void read_word(const std::string& word) {
    if (word.size() < 2 || word[0] != '-') {
      (args_.verb.empty() ? args_.verb : args_.files.emplace_back()) = word;
      return;
    }
    const std::size_t equals = word.find('=');
    const std::string flag = word.substr(0, equals);
    if (read_switch(word)) return;
    if (!takes_value(flag)) {
      report(flag, "no such option", "nestplan --help lists them");
    } else if (equals != std::string::npos) {
      read_value(flag, word.substr(equals + 1));
    } else if (next_ < words_.size()) {
      read_value(flag, words_[next_++]);
    } else {
      report(flag, "found no value; it needs one");
    }
  }

  bool read_switch(const std::string& word) {
    if (word == "--json") return args_.json = true;
    if (word == "--timing") return args_.timing = true;
    if (word == "--help" || word == "-h") return args_.help = true;
    if (word == "--version") return args_.version = true;
    return false;
  }

  static const FieldFlag* field_flag(std::string_view flag) {
    for (const FieldFlag& field : kFieldFlags)
      if (field.flag == flag) return &field;
    return nullptr;
  }

  static bool takes_value(const std::string& flag) {
    return flag == "--pin" || flag == "--set" || field_flag(flag) != nullptr;
  }

  void read_value(const std::string& flag, const std::string& text) {
    if (flag == "--pin") return read_pins(text);
    if (flag == "--set") return read_set(text);
    const FieldFlag& field = *field_flag(flag);
    const std::string pointer(field.pointer);
    if (!field.number) {
      args_.settings.push_back(Setting{flag, pointer, text});
    } else if (std::optional<ordered_json> value = number_value(text)) {
      args_.settings.push_back(Setting{flag, pointer, std::move(*value)});
    } else {
      report(flag, "found \"" + text + "\"; allowed: a number such as 1024 or 15T");
    }
  }

  void read_pins(const std::string& text) {
    for (const std::string& pin : split(text, ',')) {
      const std::size_t equals = pin.find('=');
      if (equals == 0 || equals == std::string::npos) {
        report("--pin", "found \"" + pin + "\"; allowed: key=value", "--pin tp=8,pp=4");
        continue;
      }
      const std::string key = pin.substr(0, equals);
      args_.settings.push_back(
          Setting{"--pin", "/search/pins/" + key, pin_value(key, pin.substr(equals + 1))});
    }
  }

  void read_set(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (text.empty() || text[0] != '/' || equals == std::string::npos) {
      report("--set", "found \"" + text + "\"; allowed: /json/pointer=value",
             "--set /training/optimizer=adamw");
      return;
    }
    args_.settings.push_back(
        Setting{"--set", text.substr(0, equals), loose_value(text.substr(equals + 1))});
  }

  std::span<const std::string> words_;
  std::size_t next_ = 0;
  Args args_;
};

// A step of a JSON Pointer without its escapes.
std::string unescaped(const std::string& step) {
  std::string key;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const bool escape = step[i] == '~' && i + 1 < step.size();
    key += !escape ? step[i] : step[i + 1] == '1' ? '/' : '~';
    if (escape) ++i;
  }
  return key;
}

// What `step` leads to from `at`, or null.
ordered_json* descend(ordered_json& at, const std::string& step) {
  if (at.is_null()) at = ordered_json::object();
  if (at.is_object()) return &at[unescaped(step)];
  const bool digits =
      !step.empty() && step.size() < 8 &&
      std::all_of(step.begin(), step.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!at.is_array() || !digits) return nullptr;
  const auto index = static_cast<std::size_t>(std::stoi(step));
  return index < at.size() ? &at[index] : nullptr;
}

}  // namespace

Args parse_args(std::span<const std::string> words) { return Parser(words).parse(); }

ordered_json apply_settings(ordered_json document, std::span<const Setting> settings) {
  std::vector<Issue> issues;
  for (const Setting& setting : settings) {
    ordered_json* at = &document;
    const std::vector<std::string> steps = split(setting.pointer, '/');
    for (std::size_t i = 1; i < steps.size() && at != nullptr; ++i) at = descend(*at, steps[i]);
    if (at != nullptr) {
      *at = setting.value;
    } else {
      issues.push_back(Issue{setting.pointer, "unknown-key",
                             setting.flag + " leads to nothing in this document", ""});
    }
  }
  if (!issues.empty()) throw InputError(std::move(issues));
  return document;
}

}  // namespace nestplan
