#include "cli/report.h"

#include <vector>

#include "cli/quantity.h"
#include "cli/table.h"

namespace nestplan {

using nlohmann::ordered_json;

namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string joined(const ordered_json& list, const char* separator) {
  std::string text;
  for (const ordered_json& item : list) {
    if (!text.empty()) text += separator;
    text += item.is_string() ? item.get<std::string>() : item.dump();
  }
  return text.empty() ? "-" : text;
}

std::string params_report(const ordered_json& value) {
  Rows rows;
  for (const char* key : {"total", "active", "embedding"})
    rows.push_back({key, count_text(value[key].get<std::int64_t>())});
  return "Parameters\n" + table_text(rows, "lr") +
         "Keys without influence on a plan: " + joined(value["ignored_keys"], ", ") +
         "\nUnknown keys: " + joined(value["unknown_keys"], ", ") + "\n";
}

std::string nest_report(const ordered_json& value) {
  Rows rows{{"file", "step", "dp", "tp", "stages", "cuts"}};
  for (const ordered_json& row : value) {
    if (row["feasible"] == true)
      rows.push_back({row["file"].get<std::string>(), row["step"].dump(), row["dp"].dump(),
                      row["tp"].dump(), row["stages"].dump(), joined(row["cuts"], " ")});
    else
      rows.push_back({row["file"].get<std::string>(), "no plan fits"});
  }
  return table_text(rows, "lrrrrl", "");
}

std::string presets_report(const ordered_json& value) {
  std::string text;
  for (const auto& [kind, ids] : value.items()) {
    Rows rows;
    for (const auto& [id, file] : ids.items())
      rows.push_back({id, file["name"].get<std::string>()});
    text += (text.empty() ? "" : "\n") + kind + "\n" + table_text(rows, "ll");
  }
  return text;
}

// The legal values of each degree on a line, then the others with their reasons.
std::string legal_report(const ordered_json& value) {
  std::string text;
  for (const auto& [degree, rows] : value.items()) {
    std::string legal;
    Rows reasons;
    for (const ordered_json& row : rows) {
      const std::string shown = std::to_string(row["value"].get<std::int64_t>());
      if (row["legal"] == true)
        legal += " " + shown;
      else
        reasons.push_back({shown, row["reason"].get<std::string>()});
    }
    text += (text.empty() ? "" : "\n") + degree + ":" + legal + "\n";
    if (!reasons.empty()) text += table_text(reasons, "rl");
  }
  return text;
}

}  // namespace

std::string report_text(std::string_view verb, const ordered_json& value) {
  if (verb == "plan" || verb == "evaluate") return plan_report(value);
  if (verb == "params") return params_report(value);
  if (verb == "nest") return nest_report(value);
  if (verb == "legal") return legal_report(value);
  if (verb == "presets") return presets_report(value);
  return value.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string issues_text(const ordered_json& errors) {
  std::string text;
  for (const ordered_json& error : errors) {
    const std::string path = error["path"].get<std::string>();
    text += (path.empty() ? "nestplan" : path) + ": " + error["message"].get<std::string>();
    if (error.contains("hint")) text += " (" + error["hint"].get<std::string>() + ")";
    text += "\n";
  }
  return text;
}

}  // namespace nestplan
