// One question being worked on in slices. `plan` searches a little in every step; every other verb
// does all its work in the first. Nothing here throws.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "io/presets.h"
#include "io/verbs.h"

namespace nestplan {

class Task {
 public:
  // `presets` must outlive the task.
  Task(std::string_view verb, std::vector<Input> inputs, const Presets& presets);
  ~Task();
  Task(Task&&) noexcept;
  Task& operator=(Task&&) noexcept;

  // {"done", "best", "bound_s", "gap", "pops"}; best is null before the first plan.
  [[nodiscard]] nlohmann::ordered_json step(std::int64_t pops);
  // The answer, in its envelope. Of a plan still searched for: the best so far, with its gap.
  [[nodiscard]] nlohmann::ordered_json result() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace nestplan
