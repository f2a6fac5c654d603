// The native command: files and flags in, an answer out. Everything it knows is in io/verbs.
#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "cli/args.h"
#include "cli/report.h"
#include "io/answer.h"
#include "io/strict_json.h"
#include "io/verbs.h"

namespace nestplan {

const char* embedded_presets();  // generated from presets/, see cmake/native.cmake

namespace {

using nlohmann::ordered_json;

std::string usage() {
  std::string text =
      "nestplan VERB [FILE...] [options]: plans distributed training\n\n"
      "Verbs\n";
  for (const Verb& verb : verbs()) {
    constexpr std::size_t kColumn = 12;
    std::string name(verb.name);
    name.resize(kColumn, ' ');
    text += "  " + name + std::string(verb.help) + "\n";
  }
  return text +
         "\nA request comes as a FILE, \"-\" (standard input), or these options, which also change "
         "a file\n"
         "  --model ID --cluster ID --stack ID    presets; `nestplan presets` lists them\n"
         "  --devices N --batch N --seq N         devices, sequences a step, tokens a sequence\n"
         "  --tokens 15T                          tokens to train for: days and cost\n"
         "  --pin tp=8,pp=4,sp=true               settings that the plan must have; also cp, ep, "
         "etp,\n"
         "                                        dp, vpp, mbs, zero, recompute=full,\n"
         "                                        order=tp-cp-ep-dp-pp, stage_layers=20/20/20/20\n"
         "  --set /json/pointer=value             any field; `nestplan schema` describes them\n\n"
         "  --json     the whole answer as JSON      --timing   with the time it took\n"
         "  --version  --help\n\n"
         "Exit status: 0 answered, 1 no plan fits (the answer is printed), 2 bad input.\n";
}

// The text of a file or of standard input; throws InputError.
std::string read_file(const std::string& name) {
  if (name == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  std::ifstream stream(name, std::ios::binary);
  try {
    if (stream) return {std::istreambuf_iterator<char>(stream), {}};
  } catch (const std::ios::failure&) {  // a folder, for example
  }
  throw InputError({Issue{name, "no-file", "the file cannot be read", ""}});
}

std::vector<InputFile> read_inputs(const Verb& verb, const Args& args) {
  std::vector<InputFile> inputs;
  for (const std::string& name : args.files) inputs.push_back({name, read_file(name)});
  if (args.settings.empty()) return inputs;
  if (verb.input != VerbInput::kRequest)
    throw InputError(
        {Issue{args.settings.front().flag, "bad-argument", "this verb reads no request", ""}});
  if (inputs.size() > 1) return inputs;  // refused by the verb
  ordered_json document = {{"format", "nestplan.request/1"}};
  if (!inputs.empty()) document = parse_strict_json(inputs[0].text);
  document = apply_settings(std::move(document), args.settings);
  return {{inputs.empty() ? "" : inputs[0].name, json_text(document)}};
}

Answer run(const Args& args) {
  if (!args.issues.empty()) throw InputError(args.issues);
  if (args.verb.empty())
    throw InputError({Issue{"", "bad-argument", "found no verb", "nestplan --help lists them"}});
  const Verb* verb = find_verb(args.verb);
  if (verb == nullptr) throw InputError({unknown_verb(args.verb)});
  const std::vector<InputFile> inputs = read_inputs(*verb, args);
  const Presets presets{std::string_view(embedded_presets())};
  const auto start = std::chrono::steady_clock::now();
  Answer answer = run_verb(args.verb, inputs, presets);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  if (args.timing && answer.exit_code != kBadInput)
    answer.document["timing"] = {{"search_s", taken.count()}};
  return answer;
}

int print(const Args& args, const Answer& answer) {
  const ordered_json& document = answer.document;
  if (args.json) {
    std::cout << json_text(document) << "\n";
  } else if (answer.exit_code == kBadInput) {
    std::cerr << issues_text(document["errors"]);
  } else {
    std::cout << report_text(args.verb, document["value"]);
    if (args.timing) std::cout << "Search: " << document["timing"]["search_s"] << " s\n";
  }
  std::cout.flush();
  return std::cout ? answer.exit_code : kBadInput;
}

int run_main(const std::vector<std::string>& words) {
  const Args args = parse_args(words);
  if (args.version && args.issues.empty()) {
    std::cout << "nestplan " << NESTPLAN_VERSION << "\n";
    return kAnswered;
  }
  if (args.help && args.issues.empty()) {
    std::cout << usage();
    return kAnswered;
  }
  return print(args, guarded([&] { return run(args); }));
}

}  // namespace
}  // namespace nestplan

int main(int argc, char** argv) {
  return nestplan::run_main(std::vector<std::string>(argv + 1, argv + std::max(argc, 1)));
}
