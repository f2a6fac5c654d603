// The WebAssembly facade: text in, text out. Converts and catches; everything else is io/verbs.
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <string>

#include "io/answer.h"
#include "io/presets.h"
#include "io/schema.h"
#include "io/verbs.h"

namespace {

using emscripten::val;

// The module's presets: what the page loaded last.
nestplan::Presets& presets() {
  static nestplan::Presets loaded;
  return loaded;
}

// Anything that is not text reads as no text, which every verb refuses with a message.
std::string text_of(const val& value) {
  return value.isString() ? value.as<std::string>() : std::string();
}

double number_of(const val& value) { return value.isNumber() ? value.as<double>() : 1; }

std::string load_presets(const val& bundle) {
  const nestplan::Answer answer = nestplan::guarded([&] {
    const std::string text = text_of(bundle);
    presets() = nestplan::Presets(text);
    return nestplan::answered(nullptr);
  });
  return nestplan::json_text(answer.document);
}

std::string schema() { return nestplan::json_text(nestplan::request_schema()); }

std::string version() { return NESTPLAN_VERSION; }

class Task {
 public:
  Task(const val& verb, const val& request) : task_(text_of(verb), text_of(request), presets()) {}
  std::string step(const val& pops) { return task_.step(number_of(pops)); }
  std::string result() { return nestplan::json_text(task_.result().document); }

 private:
  nestplan::VerbTask task_;
};

}  // namespace

EMSCRIPTEN_BINDINGS(nestplan) {
  emscripten::function("loadPresets", &load_presets);
  emscripten::function("schema", &schema);
  emscripten::function("version", &version);
  emscripten::class_<Task>("Task")
      .constructor<val, val>()
      .function("step", &Task::step)
      .function("result", &Task::result);
}
