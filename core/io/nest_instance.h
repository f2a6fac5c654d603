// The NEST artifact's device-placement files (arXiv 2603.06798): text -> NestInstance, and the
// answer of the `nest` verb. Plans nothing itself (search/nest_instance does).
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "search/nest_instance.h"

namespace nestplan {

// More would need gigabytes of interval tables; the artifact's own files have at most 97.
constexpr std::int64_t kMaxNestLayers = 1024;

// Layers come out in topological order, smallest id first among those that are free: so the
// embedding (id -1) leads, and the order of the file does not matter. Keys that the objective does
// not use (energy, frequency, baselines, ...) are passed over, known or not: every key it does use
// must be present, so a misspelt one cannot go unnoticed. Throws InputError with every fault found.
[[nodiscard]] NestInstance parse_nest(std::string_view text);

// One row: {"file", "feasible", "step", "dp", "tp", "stages", "cuts"}; without a plan the last five
// are null. `cuts` are positions in the order above, from 0 to the number of layers.
[[nodiscard]] nlohmann::ordered_json nest_row(std::string_view file, const NestPlan& plan);
[[nodiscard]] nlohmann::ordered_json nest_answer(std::string_view file, std::string_view text);

struct NestFile {
  std::string name;
  std::string text;
};
// A row per file, in order. Faults of all files are thrown together; their paths start with the
// file's index, their messages with its name.
[[nodiscard]] nlohmann::ordered_json nest_answers(std::span<const NestFile> files);

}  // namespace nestplan
