#include "search/leaf.h"

#include <algorithm>
#include <tuple>

#include "base/check.h"
#include "base/math.h"

namespace nestplan {
namespace {

auto key_of(const Config& c) {
  return std::make_tuple(c.mbs, c.tp, c.sp, c.cp, c.ep, c.etp, c.dp, c.pp, c.vpp, c.order.dims);
}

auto key_of(const StageCut& s) {
  return std::make_tuple(s.option.zero, s.option.shard_group, s.option.recompute, s.begin, s.end);
}

// Chunks of q or q + 1 blocks; the ends may be two shorter. Empty when L cannot be reached.
std::vector<BlockRange> interleaved_ranges(const Config& c, std::int64_t blocks, std::int64_t q) {
  const std::int64_t v = c.vpp;
  const std::int64_t shortest = std::max<std::int64_t>(0, q - 2);
  const BlockRange inner{v * q, v * (q + 1)};
  const BlockRange end{(v - 1) * q + shortest, v * (q + 1)};
  std::vector<BlockRange> ranges(static_cast<std::size_t>(c.pp), inner);
  ranges.front() = end;
  ranges.back() = end;
  std::int64_t least = 0;
  std::int64_t most = 0;
  for (const BlockRange& range : ranges) {
    least += range.least;
    most += range.most;
  }
  if (blocks < least || blocks > most) ranges.clear();
  return ranges;
}

std::int64_t sum_of(const std::vector<std::int64_t>& counts) {
  std::int64_t sum = 0;
  for (const std::int64_t n : counts) sum += n;
  return sum;
}

// Do stage totals (first stage first) lie in these ranges (last stage first)?
bool holds(const std::vector<BlockRange>& ranges, const std::vector<std::int64_t>& stage_blocks) {
  if (ranges.empty()) return false;
  for (std::size_t k = 0; k < stage_blocks.size(); ++k) {
    const BlockRange& range = ranges[ranges.size() - 1 - k];
    if (stage_blocks[k] < range.least || stage_blocks[k] > range.most) return false;
  }
  return true;
}

Bytes peak_of(const StageContext& context, const ChainCounts& chain,
              const std::vector<StageCut>& stages) {
  Bytes peak(0);
  for (std::size_t k = 0; k < stages.size(); ++k) {
    const StageCut& cut = stages[k];
    const StageContent content =
        chain.content(context.layers, cut.option.recompute, cut.begin, cut.end);
    const auto slot = static_cast<std::int64_t>(stages.size() - k);
    peak = max(peak, stage_memory(context, content, cut.option, slot).total());
  }
  return peak;
}

}  // namespace

bool better(const Solution& a, const Solution& b) {
  if (a.step != b.step) return a.step < b.step;
  if (a.peak != b.peak) return a.peak < b.peak;
  if (!(a.config == b.config)) return key_of(a.config) < key_of(b.config);
  for (std::size_t k = 0; k < std::min(a.stages.size(), b.stages.size()); ++k) {
    if (key_of(a.stages[k]) != key_of(b.stages[k]))
      return key_of(a.stages[k]) < key_of(b.stages[k]);
  }
  return a.stages.size() < b.stages.size();
}

std::vector<std::vector<BlockRange>> block_ranges(const Job& job, const Config& config,
                                                  const FixedDegrees& fixed) {
  const std::int64_t blocks = job.model.layers;
  const auto slots = static_cast<std::size_t>(config.pp);
  if (!fixed.stage_blocks.empty()) {
    if (std::ssize(fixed.stage_blocks) != config.pp) return {};
    std::vector<BlockRange> ranges;
    for (auto it = fixed.stage_blocks.rbegin(); it != fixed.stage_blocks.rend(); ++it) {
      ranges.push_back({*it, *it});
    }
    return {ranges};
  }
  if (!job.stack.uneven_stages) {
    const std::int64_t each = blocks / config.pp;
    return {std::vector<BlockRange>(slots, {each, each})};
  }
  if (config.vpp == 1) return {std::vector<BlockRange>(slots)};
  std::vector<std::vector<BlockRange>> all;
  const std::int64_t chunks = config.pp * config.vpp;
  for (std::int64_t q = std::max<std::int64_t>(1, blocks / chunks - 1);
       q <= ceil_div(blocks + 4, chunks); ++q) {
    std::vector<BlockRange> ranges = interleaved_ranges(config, blocks, q);
    if (!ranges.empty()) all.push_back(std::move(ranges));
  }
  return all;
}

std::vector<std::vector<std::int64_t>> split_chunks(const Config& config,
                                                    const std::vector<std::int64_t>& stage_blocks) {
  std::vector<std::vector<std::int64_t>> stages;
  if (config.vpp == 1) {
    for (const std::int64_t blocks : stage_blocks) stages.push_back({blocks});
    return stages;
  }
  std::int64_t q = 1;
  CHECK(config.pp > 1, "an interleaved schedule has several stages");
  const std::int64_t most = *std::max_element(stage_blocks.begin(), stage_blocks.end());
  while (!holds(interleaved_ranges(config, sum_of(stage_blocks), q), stage_blocks)) {
    CHECK(q <= most, "stage totals no interleaved schedule allows");
    ++q;
  }
  for (std::size_t k = 0; k < stage_blocks.size(); ++k) {
    const bool last = k + 1 == stage_blocks.size();
    std::vector<std::int64_t> chunks(static_cast<std::size_t>(config.vpp), q);
    std::int64_t rest = stage_blocks[k] - config.vpp * q;
    // A shortage is borne by the end chunk (first of the first stage, last of the last).
    std::int64_t& end = last ? chunks.back() : chunks.front();
    if (rest < 0) {
      end += rest;
      rest = 0;
    }
    for (std::size_t i = 0; rest > 0; ++i, --rest) {
      ++chunks[last ? i : chunks.size() - 1 - i];
    }
    stages.push_back(std::move(chunks));
  }
  return stages;
}

std::vector<std::vector<StageOption>> option_sets(const Job& job, const Config& config,
                                                  const FixedDegrees& fixed) {
  const std::vector<StageOption> options = stage_options(job, config, fixed);
  if (options.empty()) return {};
  if (job.stack.per_stage_options) return {options};
  std::vector<std::vector<StageOption>> sets;
  for (const StageOption& option : options) sets.push_back({option});
  return sets;
}

std::optional<Solution> solve_leaf(const LeafInput& input, const Config& config,
                                   const std::vector<LayerCost>& layers, Seconds limit) {
  const StageContext context = make_stage_context(*input.job, config, layers);
  struct Part {
    StageProblem problem;
    Seconds bound;
  };
  std::vector<Part> parts;
  for (const auto& ranges : block_ranges(*input.job, config, *input.fixed)) {
    for (const auto& options : option_sets(*input.job, config, *input.fixed)) {
      StageProblem problem{&context, input.chain, options, ranges, input.job->accelerator.memory};
      const Seconds bound = stage_bound(problem);
      if (bound <= limit) parts.push_back({std::move(problem), bound});
    }
  }
  // The most promising first: the others are then cut by its step.
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.bound < b.bound; });
  std::optional<Solution> best;
  for (const Part& part : parts) {
    // Equal steps must be found too: ties are broken by memory and key.
    const Seconds below = limit * (1 + 1e-12);
    std::optional<StageSolution> found = solve_stages(part.problem, below);
    if (!found) continue;
    Solution solution{config, found->step, peak_of(context, *input.chain, found->stages),
                      std::move(found->stages)};
    limit = min(limit, solution.step);
    if (!best || better(solution, *best)) best = std::move(solution);
  }
  return best;
}

}  // namespace nestplan
