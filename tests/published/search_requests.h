// The requests on which the search is measured: names, sizes, and the search itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/parse.h"
#include "io/presets.h"
#include "plan/job.h"
#include "search/search.h"

namespace nestplan {
const char* embedded_presets();

struct SearchCase {
  const char* model;
  std::int64_t devices;
  std::int64_t batch;
  std::int64_t sequence;
};

inline const std::vector<SearchCase>& search_cases() {
  static const std::vector<SearchCase> cases{
      {"llama-3-70b", 1024, 1024, 8192},     {"gpt-3-175b", 1024, 1536, 2048},
      {"llama-3.1-405b", 16384, 2048, 8192}, {"deepseek-v3", 2048, 15360, 4096},
      {"deepseek-v3", 16384, 15360, 4096},   {"gpt-1t", 131072, 6144, 2048},
      {"llama-3-70b", 1000, 1024, 8192}};
  return cases;
}

inline Request request_of(const SearchCase& c, const Presets& presets) {
  return parse_request(
      std::string_view("{\"model\": \"" + std::string(c.model) +
                       "\", \"cluster\": {\"preset\": \"h100-spine-leaf\", \"devices\": " +
                       std::to_string(c.devices) +
                       "}, \"training\": {\"global_batch_sequences\": " + std::to_string(c.batch) +
                       ", \"sequence_length\": " + std::to_string(c.sequence) + "}}"),
      presets);
}

inline SearchStatus searched(const Request& request) {
  Search search(make_job(request), fixed_degrees(request), 1);
  while (!search.status().done) search.step(1024);
  return search.status();
}

}  // namespace nestplan
