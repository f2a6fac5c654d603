#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "cli/quantity.h"
#include "cli/report.h"
#include "cli/table.h"

namespace nestplan {

using nlohmann::ordered_json;

namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string word(const ordered_json& value) { return value.get<std::string>(); }
double number(const ordered_json& value) { return value.get<double>(); }
std::string whole(const ordered_json& value) { return count_text(value.get<std::int64_t>()); }

std::string recompute_text(const ordered_json& recompute) {
  const std::string kind = word(recompute["kind"]);
  return kind == "full" ? "full " + whole(recompute["layers"]) : kind;
}

// TP 8 · PP 4 · DP 32 · ZeRO 1 · selective · MBS 1; degrees of 1 that few jobs use are left out.
std::string layout_line(const ordered_json& config) {
  struct Part {
    const char* key;
    const char* name;
    bool always;
  };
  constexpr std::array kParts{Part{"tp", "TP", true},  Part{"cp", "CP", false},
                              Part{"ep", "EP", false}, Part{"etp", "ETP", false},
                              Part{"pp", "PP", true},  Part{"vpp", "VPP", false},
                              Part{"dp", "DP", true},  Part{"zero", "ZeRO", true}};
  std::string line;
  for (const Part& part : kParts) {
    if (!part.always && config[part.key] == 1) continue;
    line += part.name + (" " + whole(config[part.key])) + " · ";
  }
  std::string recompute = recompute_text(config["recompute"]);
  if (recompute == "none") recompute = "no recompute";
  return line + recompute + " · MBS " + whole(config["mbs"]);
}

std::string subject(const ordered_json& value) {
  const ordered_json& request = value["request"];
  const auto name = [](const ordered_json& named) { return named.value("name", "unnamed"); };
  const ordered_json& cluster = request["cluster"];
  return name(request["model"]) + " on " + whole(cluster["devices"]) + " x " +
         name(cluster["accelerator"]) + ", " + name(cluster) + "\n";
}

std::string verdict(const ordered_json& value) {
  std::string text =
      "Trains at " + significant_text(number(value["throughput"]["tokens_per_s"])) + " tokens/s";
  if (!value["days"].is_null()) {
    text += ": " + tokens_text(number(value["request"]["training"]["tokens"])) + " tokens take " +
            significant_text(number(value["days"])) + " days";
    if (!value["cost"].is_null()) text += " and cost " + dollars_text(number(value["cost"]));
  }
  return text + "\n  " + layout_line(value["config"]) + "\n";
}

std::string key_numbers(const ordered_json& value) {
  const ordered_json& step = value["step"];
  const ordered_json& rate = value["throughput"];
  const ordered_json& memory = value["memory"];
  const ordered_json& config = value["config"];
  return table_text(
      {{"step", seconds_text(number(step["total_s"])),
        "90 % band " + seconds_text(number(step["low_s"])) + " to " +
            seconds_text(number(step["high_s"]))},
       {"tokens/s", significant_text(number(rate["tokens_per_s"])),
        significant_text(number(rate["tokens_per_s_per_device"])) + " per device"},
       {"MFU", percent_text(number(rate["mfu"])), "HFU " + percent_text(number(rate["hfu"]))},
       {"memory", gigabytes_text(number(memory["peak_bytes"])) + " GB",
        "of " + gigabytes_text(number(memory["usable_bytes"])) + " GB usable, stage " +
            whole(memory["worst_stage"])},
       {"micro-batches", whole(config["micro_batches"]), "schedule " + word(config["schedule"])},
       {"devices", whole(config["devices_used"]),
        whole(config["devices_idle"]) + " idle, order " + word(config["order"])}},
      "lrl");
}

// What a stage holds: "emb + 20".
std::string layers_text(const ordered_json& layers) {
  std::string text = layers["embedding"] == true ? "emb + " : "";
  text += whole(layers["blocks"]);
  return layers["head"] == true ? text + " + head" : text;
}

// A letter per part of the memory, a dot for what is free.
std::string memory_bar(const ordered_json& memory, double usable) {
  struct Part {
    const char* key;
    char letter;
  };
  constexpr std::array kParts{Part{"weights_bytes", 'w'},     Part{"gradients_bytes", 'g'},
                              Part{"optimizer_bytes", 'o'},   Part{"logits_bytes", 'l'},
                              Part{"activations_bytes", 'a'}, Part{"buffers_bytes", 'b'},
                              Part{"reserve_bytes", 'r'}};
  constexpr double kWidth = 40;
  std::string bar;
  double sum = 0;
  for (const Part& part : kParts) {
    sum += number(memory[part.key]);
    const double to = std::clamp(sum / usable * kWidth, 0.0, kWidth);
    while (static_cast<double>(bar.size()) + 0.5 < to) bar += part.letter;
  }
  while (static_cast<double>(bar.size()) < kWidth) bar += '.';
  return "[" + bar + "]";
}

std::string stages_text(const ordered_json& value) {
  const double usable = number(value["memory"]["usable_bytes"]);
  Rows rows{{"stage", "layers", "devices", "ZeRO", "recompute", "GB", "load", ""}};
  for (std::size_t i = 0; i < value["stages"].size(); ++i) {
    const ordered_json& stage = value["stages"][i];
    rows.push_back(
        {count_text(static_cast<std::int64_t>(i)), layers_text(stage["layers"]),
         whole(stage["devices"]["count"]), whole(stage["zero"]), recompute_text(stage["recompute"]),
         gigabytes_text(number(stage["memory"]["total_bytes"])),
         seconds_text(number(stage["load"]["total_s"])), memory_bar(stage["memory"], usable)});
  }
  return "\nStages: load per micro-batch; memory of one device against " + gigabytes_text(usable) +
         " GB\n(w weights, g gradients, o optimizer, l logits, a activations, b buffers, "
         "r reserve)\n" +
         table_text(rows, "rlrrlrrl");
}

std::string step_text(const ordered_json& value) {
  const double total = number(value["step"]["total_s"]);
  Rows rows;
  for (const auto& [key, part] : value["step"]["parts"].items()) {
    if (number(part) == 0) continue;
    std::string name = key.substr(0, key.size() - 2);  // without "_s"
    std::replace(name.begin(), name.end(), '_', ' ');
    rows.push_back({name, seconds_text(number(part)), percent_text(number(part) / total)});
  }
  rows.push_back({"total", seconds_text(total), ""});
  return "\nStep time\n" + table_text(rows, "lrr");
}

std::string communication_text(const ordered_json& value) {
  if (value["communication"].empty()) return "";
  Rows rows{{"what", "level", "form", "GB", "exposed", "hidden"}};
  for (const ordered_json& item : value["communication"])
    rows.push_back({word(item["what"]), word(item["level"]), word(item["form"]),
                    gigabytes_text(number(item["bytes"])), seconds_text(number(item["exposed_s"])),
                    seconds_text(number(item["hidden_s"]))});
  return "\nCommunication of one device and step\n" + table_text(rows, "lllrrr");
}

std::vector<std::string> summary_cells(const ordered_json& summary) {
  return {significant_text(number(summary["tokens_per_s"])) + " tokens/s",
          gigabytes_text(number(summary["peak_bytes"])) + " GB", layout_line(summary["config"])};
}

std::string alternatives_text(const ordered_json& value) {
  if (value["alternatives"].empty()) return "";
  Rows rows;
  for (const ordered_json& summary : value["alternatives"]) rows.push_back(summary_cells(summary));
  return "\nNext best\n" + table_text(rows, "rrl");
}

std::string search_text(const ordered_json& value) {
  const ordered_json& search = value["search"];
  const std::string gap =
      "Not proved optimal: at most " + percent_text(number(search["gap"])) + " from the optimum";
  const std::string found =
      search["proved_optimal"] == true ? "Proved optimal under the cost model" : gap;
  const bool fits = value["feasible"] == true;
  const std::string none = search["proved_optimal"] == true ? "Proved: nothing fits" : "Stopped";
  return "\n" + (fits ? found : none) + "; " + whole(search["candidates"]) + " candidates, " +
         whole(search["pruned"]) + " pruned.\n";
}

std::string infeasible_text(const ordered_json& value) {
  const ordered_json& reason = value["reason"];
  std::string text = "No plan fits: " + word(reason["text"]) + "\n";
  if (number(reason["bytes_over"]) > 0)
    text += "  stage " + whole(reason["stage"]) + " is " +
            gigabytes_text(number(reason["bytes_over"])) + " GB over; the largest part there is " +
            word(reason["part"]) + "\n";
  if (value["nearest"].empty()) return text;
  Rows rows;
  for (const ordered_json& change : value["nearest"]) {
    rows.push_back({word(change["change"])});
    for (std::string& cell : summary_cells(change["summary"])) rows.back().push_back(cell);
  }
  return text + "\nNearest changes that fit\n" + table_text(rows, "lrrl");
}

}  // namespace

std::string plan_report(const ordered_json& value) {
  if (value["feasible"] == false)
    return subject(value) + infeasible_text(value) + search_text(value);
  std::string text = subject(value) + verdict(value) + "\n" + key_numbers(value) +
                     stages_text(value) + step_text(value) + communication_text(value) +
                     alternatives_text(value) + search_text(value);
  for (const ordered_json& warning : value["warnings"]) text += "Warning: " + word(warning) + "\n";
  return text;
}

}  // namespace nestplan
