// What can be asked, by name: one table behind the command line and the WebAssembly module, so that
// both give the same bytes.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/issue.h"
#include "io/answer.h"
#include "io/presets.h"

namespace nestplan {

// A document given to a verb; `name` is for messages.
struct InputFile {
  std::string name;
  std::string text;
};

enum class VerbInput {
  kNone,
  kRequest,  // one request; the command line can make it from flags
  kFile,     // one document of another kind
  kFiles,    // one or more of them
};

struct Verb {
  std::string_view name;
  VerbInput input;
  std::string_view help;
  // Throws InputError.
  Answer (*run)(std::span<const InputFile> files, const Presets& presets);
};

[[nodiscard]] std::span<const Verb> verbs();
// Null when there is no such verb.
[[nodiscard]] const Verb* find_verb(std::string_view name);
[[nodiscard]] Issue unknown_verb(std::string_view name);

// The answer of a verb. Never throws.
[[nodiscard]] Answer run_verb(std::string_view name, std::span<const InputFile> files,
                              const Presets& presets);

// A verb run in slices. `plan` searches a little in every step; every other verb does its work when
// asked for the result. Nothing here throws.
class VerbTask {
 public:
  // `presets` must outlive the task.
  VerbTask(std::string_view verb, std::string text, const Presets& presets);
  ~VerbTask();
  VerbTask(VerbTask&&) noexcept;
  VerbTask& operator=(VerbTask&&) noexcept;

  // {"done", "best", "bound_s", "gap", "pops"} after at most `pops` more node expansions; `best` is
  // null before the first plan.
  [[nodiscard]] std::string step(double pops);
  // Of a search that is not done: the best so far, with its gap.
  [[nodiscard]] Answer result();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace nestplan
