#include "io/answer.h"

#include <exception>
#include <new>
#include <utility>

namespace nestplan {

using nlohmann::ordered_json;

Answer answered(ordered_json value, int exit_code) {
  ordered_json document = {{"ok", true}};
  document["value"] = std::move(value);
  return {std::move(document), exit_code};
}

Answer refused(std::span<const Issue> issues) {
  ordered_json errors = ordered_json::array();
  for (const Issue& issue : issues) {
    ordered_json error = {{"path", issue.path}, {"code", issue.code}, {"message", issue.message}};
    if (!issue.hint.empty()) error["hint"] = issue.hint;
    errors.push_back(std::move(error));
  }
  ordered_json document = {{"ok", false}};
  document["errors"] = std::move(errors);
  return {std::move(document), kBadInput};
}

Answer guarded(const std::function<Answer()>& run) {
  const auto refuse = [](const char* code, const std::string& message, const char* hint) {
    const Issue issue{"", code, message, hint};
    return refused({&issue, 1});
  };
  try {
    return run();
  } catch (const InputError& error) {
    return refused(error.issues());
  } catch (const std::bad_alloc&) {
    return refuse("too-large", "the memory does not suffice for this input", "");
  } catch (const std::exception& error) {
    return refuse("internal", std::string("a fault of nestplan itself: ") + error.what(),
                  "please report it with the input");
  } catch (...) {
    return refuse("internal", "a fault of nestplan itself", "please report it with the input");
  }
}

std::string json_text(const ordered_json& document) {
  return document.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace nestplan
