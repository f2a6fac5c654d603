#include "io/request_checks.h"

#include <algorithm>
#include <string>

#include "topology/network.h"

namespace nestplan {
namespace {

std::string level_path(std::size_t index, const char* key) {
  return "/cluster/levels/" + std::to_string(index) + "/" + key;
}

void check_dims(const Level& level, std::size_t index, IssueList& issues) {
  const std::string path = level_path(index, "dims");
  if (level.kind != LevelKind::kTorus) {
    if (level.dims.empty()) return;
    issues.add(path, "no-effect", "found sizes of a torus on a level of another kind",
               "set kind to \"torus\" or leave dims out");
    return;
  }
  if (level.dims.empty()) {
    issues.add(path, "missing", "a torus needs its sizes; allowed: an array such as [4, 4, 4]");
    return;
  }
  double product = 1;  // floating point: eight sizes of a million overflow 64 bits
  for (const std::int64_t size : level.dims) product *= static_cast<double>(size);
  if (product != static_cast<double>(level.arity)) {
    issues.add(path, "inconsistent",
               "found sizes whose product is not the arity; allowed: a product of " +
                   std::to_string(level.arity));
  }
}

// Devices the levels hold, at most 2^53; infinite when the outermost is open-ended.
void check_capacity(const Cluster& cluster, IssueList& issues) {
  double most = 1;
  for (const Level& level : cluster.levels) most *= static_cast<double>(level.arity);
  if (cluster.levels.back().arity == 0 || static_cast<double>(cluster.devices) <= most) return;
  const std::string text = std::to_string(static_cast<std::int64_t>(most));
  issues.add("/cluster/devices", "out-of-range",
             "found " + std::to_string(cluster.devices) + " devices; allowed: 1 to " + text +
                 ", the product of the levels' arities",
             "nearest allowed value: " + text + "; or set the outermost arity to 0");
}

}  // namespace

void check_cluster(const Cluster& cluster, IssueList& issues) {
  std::int64_t unfolded = 0;
  bool open_inside = false;
  for (std::size_t i = 0; i < cluster.levels.size(); ++i) {
    const Level& level = cluster.levels[i];
    const bool torus = level.kind == LevelKind::kTorus;
    unfolded += torus ? std::max<std::int64_t>(std::ssize(level.dims), 1) : 1;
    check_dims(level, i, issues);
    if (level.arity > 0 || i + 1 == cluster.levels.size()) continue;
    open_inside = true;
    issues.add(level_path(i, "arity"), "out-of-range",
               "found 0, which stands for the rest; allowed only on the outermost level: "
               "elsewhere a whole number from 1 to 1000000",
               "nearest allowed value: 1");
  }
  if (unfolded > kMaxLevels) {
    issues.add(
        "/cluster/levels", "out-of-range",
        "found " + std::to_string(unfolded) +
            " levels, counting every dimension of a torus; allowed: " + std::to_string(kMaxLevels));
  }
  if (!open_inside) check_capacity(cluster, issues);
}

void check_training(const Request& request, IssueList& issues) {
  const std::int64_t rows = request.model.learned_positions;
  if (rows == 0 || request.training.sequence_length <= rows) return;
  issues.add("/training/sequence_length", "out-of-range",
             "found " + std::to_string(request.training.sequence_length) +
                 " tokens; allowed: 1 to " + std::to_string(rows) +
                 ", the rows of the model's learned position table",
             "nearest allowed value: " + std::to_string(rows));
}

}  // namespace nestplan
