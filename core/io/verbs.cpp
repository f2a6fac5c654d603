#include "io/verbs.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "io/graph_import.h"
#include "io/hf_import.h"
#include "io/nest_instance.h"
#include "io/parse.h"
#include "io/schema.h"
#include "io/strict_json.h"
#include "io/write.h"
#include "model/layers.h"
#include "plan/legal.h"
#include "plan/planner.h"

namespace nestplan {

using nlohmann::ordered_json;

namespace {

using Files = std::span<const InputFile>;

Request read_request(const InputFile& file, const Presets& presets) {
  return parse_request(std::string_view(file.text), presets);
}

Answer plan_answer(const Request& request, const PlanOutcome& outcome) {
  return answered(write_outcome(request, outcome), outcome.feasible ? kAnswered : kNothingFits);
}

Answer run_plan(Files files, const Presets& presets) {
  const Request request = read_request(files[0], presets);
  return plan_answer(request, plan(request));
}

Answer run_evaluate(Files files, const Presets& presets) {
  const Request request = read_request(files[0], presets);
  return plan_answer(request, evaluate(request));
}

// {"tp": [{"value", "legal", "reason"}], ...}; the reason is null where the value is legal.
Answer run_legal(Files files, const Presets& presets) {
  ordered_json value = ordered_json::object();
  for (const Degree& degree : legal_degrees(read_request(files[0], presets))) {
    ordered_json rows = ordered_json::array();
    for (const DegreeValue& v : degree.values) {
      const bool legal = v.reason.empty();
      rows.push_back({{"value", v.value},
                      {"legal", legal},
                      {"reason", legal ? ordered_json(nullptr) : ordered_json(v.reason)}});
    }
    value[degree.name] = std::move(rows);
  }
  return answered(std::move(value));
}

Answer run_params(Files files, const Presets& /*presets*/) {
  const HfImport import = import_hf_config(nlohmann::json(parse_strict_json(files[0].text)));
  const ModelParameters parameters = count_parameters(import.model);
  return answered({{"total", parameters.total},
                   {"active", parameters.active},
                   {"embedding", parameters.embedding},
                   {"ignored_keys", ordered_json(import.ignored_keys)},
                   {"unknown_keys", ordered_json(import.unknown_keys)}});
}

Answer run_nest(Files files, const Presets& /*presets*/) {
  std::vector<NestFile> instances;
  for (const InputFile& file : files) instances.push_back({file.name, file.text});
  ordered_json rows = nest_answers(instances);
  const bool all = std::all_of(rows.begin(), rows.end(),
                               [](const ordered_json& row) { return row["feasible"] == true; });
  return answered(std::move(rows), all ? kAnswered : kNothingFits);
}

Answer run_graph(Files files, const Presets& /*presets*/) {
  return answered(graph_answer(files[0].text));
}

// {kind: {id: {"name", "description"}}}
Answer run_presets(Files /*files*/, const Presets& presets) {
  ordered_json value = ordered_json::object();
  for (const auto& [kind, ids] : presets.bundle().items()) {
    ordered_json list = ordered_json::object();
    for (const auto& [id, file] : ids.items())
      list[id] = {{"name", file.value("name", "")}, {"description", file.value("description", "")}};
    value[kind] = std::move(list);
  }
  return answered(std::move(value));
}

Answer run_schema(Files /*files*/, const Presets& /*presets*/) {
  return answered(request_schema());
}

constexpr std::array kVerbs{
    Verb{"plan", VerbInput::kRequest, "the fastest plan that fits", run_plan},
    Verb{"evaluate", VerbInput::kRequest, "the pinned configuration, without a search",
         run_evaluate},
    Verb{"legal", VerbInput::kRequest, "which degrees are possible, and why the others are not",
         run_legal},
    Verb{"params", VerbInput::kFile, "parameters of a Hugging Face config.json", run_params},
    Verb{"graph", VerbInput::kFile, "a network given as links, as levels of a request", run_graph},
    Verb{"nest", VerbInput::kFiles, "exact plans of NEST instances", run_nest},
    Verb{"presets", VerbInput::kNone, "the models, clusters and stacks known by name", run_presets},
    Verb{"schema", VerbInput::kNone, "the JSON Schema of a request", run_schema},
};

void check_count(const Verb& verb, std::size_t count) {
  const bool none = verb.input == VerbInput::kNone;
  const bool many = verb.input == VerbInput::kFiles;
  if (none ? count == 0 : count == 1 || (many && count > 0)) return;
  const char* allowed = none ? "none" : many ? "at least one" : "one";
  throw InputError({Issue{"", "wrong-count",
                          "found " + std::to_string(count) + " inputs of " +
                              std::string(verb.name) + "; allowed: " + allowed,
                          ""}});
}

}  // namespace

std::span<const Verb> verbs() { return kVerbs; }

const Verb* find_verb(std::string_view name) {
  for (const Verb& verb : kVerbs)
    if (verb.name == name) return &verb;
  return nullptr;
}

Issue unknown_verb(std::string_view name) {
  std::string allowed;
  for (const Verb& verb : kVerbs) {
    if (!allowed.empty()) allowed += ", ";
    allowed += verb.name;
  }
  constexpr std::size_t kShown = 40;
  return {"", "unknown-verb", "no verb \"" + std::string(name.substr(0, kShown)) + "\"",
          "the verbs are: " + allowed};
}

Answer run_verb(std::string_view name, Files files, const Presets& presets) {
  return guarded([&] {
    const Verb* verb = find_verb(name);
    if (verb == nullptr) throw InputError({unknown_verb(name)});
    check_count(*verb, files.size());
    return verb->run(files, presets);
  });
}

struct VerbTask::State {
  std::string verb;
  InputFile input;
  const Presets* presets;
  Request request;  // of a search
  std::optional<PlanTask> search;
  std::optional<Answer> answer;  // once nothing is left to do
};

VerbTask::VerbTask(std::string_view verb, std::string text, const Presets& presets)
    : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.verb = verb;
  state.input.text = std::move(text);
  state.presets = &presets;
  if (verb != "plan") return;
  Answer start = guarded([&] {
    state.request = read_request(state.input, presets);
    state.search.emplace(state.request);
    return Answer{};
  });
  if (!state.search) state.answer = std::move(start);
}
VerbTask::~VerbTask() = default;
VerbTask::VerbTask(VerbTask&&) noexcept = default;
VerbTask& VerbTask::operator=(VerbTask&&) noexcept = default;

std::string VerbTask::step(double pops) {
  constexpr double kMostPops = 1e9;
  PlanTask::Progress progress;
  progress.done = true;
  progress.gap = 0;
  if (state_->search && !state_->answer) {
    Answer fault = guarded([&] {
      progress =
          state_->search->step(pops > 1 ? static_cast<std::int64_t>(std::min(pops, kMostPops)) : 1);
      return Answer{};
    });
    if (fault.exit_code != kAnswered) state_->answer = std::move(fault);
  }
  const ordered_json best = progress.has_plan ? ordered_json(progress.best.value()) : nullptr;
  return json_text({{"done", progress.done},
                    {"best", best},
                    {"bound_s", progress.bound.value()},
                    {"gap", progress.gap},
                    {"pops", progress.pops}});
}

Answer VerbTask::result() {
  State& state = *state_;
  if (state.answer) return *state.answer;
  if (state.search)
    return guarded([&] { return plan_answer(state.request, state.search->result()); });
  const bool none =
      find_verb(state.verb) != nullptr && find_verb(state.verb)->input == VerbInput::kNone;
  state.answer = run_verb(state.verb, {&state.input, none ? 0U : 1U}, *state.presets);
  return *state.answer;
}

}  // namespace nestplan
