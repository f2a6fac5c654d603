// The presets as data: one JSON bundle, built by scripts/bundle_presets.mjs, looked up by kind and
// id. Says nothing about what a value must hold; parse.h does.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace nestplan {

// kind: "accelerators", "clusters", "models", "stacks" or "scenarios".
class Presets {
 public:
  Presets() = default;
  // `bundle`: {kind: {id: {"name", "description", "value", "sources"}}}. Throws InputError.
  explicit Presets(std::string_view bundle);

  // The whole file of a preset, or null when there is none.
  [[nodiscard]] const nlohmann::ordered_json* file(std::string_view kind,
                                                   std::string_view id) const;
  // Its "value", or null when there is none.
  [[nodiscard]] const nlohmann::ordered_json* value(std::string_view kind,
                                                    std::string_view id) const;
  // Ids in the bundle's order (sorted).
  [[nodiscard]] std::vector<std::string> ids(std::string_view kind) const;
  // The bundle itself.
  [[nodiscard]] const nlohmann::ordered_json& bundle() const { return bundle_; }

 private:
  nlohmann::ordered_json bundle_ = nlohmann::ordered_json::object();
};

}  // namespace nestplan
