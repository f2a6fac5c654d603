#include "io/presets.h"

#include "base/issue.h"

namespace nestplan {

using nlohmann::ordered_json;

namespace {

constexpr const char* kKinds[] = {"accelerators", "clusters", "models", "stacks", "scenarios"};

// The whole bundle has the promised shape, so that lookups need not ask.
void check_shape(const ordered_json& bundle) {
  std::vector<Issue> issues;
  const auto fault = [&](const std::string& path) {
    issues.push_back({path, "wrong-type", "not a bundle of presets", ""});
  };
  if (!bundle.is_object()) fault("");
  for (const char* kind : kKinds) {
    if (!bundle.is_object() || !bundle.contains(kind)) continue;
    const std::string path = std::string("/") + kind;
    if (!bundle[kind].is_object()) {
      fault(path);
      continue;
    }
    for (const auto& [id, file] : bundle[kind].items()) {
      const bool good = file.is_object() && file.contains("value") && file["value"].is_object();
      if (!good) fault(path + "/" + id);
    }
  }
  if (!issues.empty()) throw InputError(std::move(issues));
}

}  // namespace

Presets::Presets(std::string_view bundle) {
  try {
    bundle_ = ordered_json::parse(bundle);
  } catch (const ordered_json::exception&) {
    throw InputError({Issue{"", "bad-json", "the bundle of presets is not JSON", ""}});
  }
  check_shape(bundle_);
}

const ordered_json* Presets::file(std::string_view kind, std::string_view id) const {
  const auto group = bundle_.find(std::string(kind));
  if (group == bundle_.end() || !group->is_object()) return nullptr;
  const auto found = group->find(std::string(id));
  return found == group->end() ? nullptr : &*found;
}

const ordered_json* Presets::value(std::string_view kind, std::string_view id) const {
  const ordered_json* found = file(kind, id);
  return found == nullptr ? nullptr : &*found->find("value");
}

std::vector<std::string> Presets::ids(std::string_view kind) const {
  std::vector<std::string> all;
  const auto group = bundle_.find(std::string(kind));
  if (group == bundle_.end() || !group->is_object()) return all;
  for (const auto& [id, file] : group->items()) all.push_back(id);
  return all;
}

}  // namespace nestplan
