#include "io/nest_instance.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/issue.h"
#include "io/value_reader.h"

namespace nestplan {
namespace {

using nlohmann::json;

constexpr ValueRange kId{-1e9, 1e9, "a whole number within 1e9 of 0"};

void read_levels(ValueReader& reader, const json& document, NestInstance& instance) {
  const auto list = [&](const char* key) {
    return reader.member(document, "", key, &json::is_array, "an array, innermost level first");
  };
  const json* arities = list("devices_per_level");
  const json* bandwidths = list("bws");
  const json* latencies = list("latency_per_level");
  if (arities == nullptr || bandwidths == nullptr || latencies == nullptr) return;
  const std::size_t count = arities->size();
  if (count == 0 || bandwidths->size() != count || latencies->size() != count) {
    reader.report("/devices_per_level", "inconsistent",
                  "found " + std::to_string(count) + " levels, " +
                      std::to_string(bandwidths->size()) + " bws and " +
                      std::to_string(latencies->size()) +
                      " latency_per_level; allowed: equally many, at least one");
    return;
  }
  std::int64_t capacity = 1;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string at = "/" + std::to_string(i);
    NestLevel level;
    level.arity = reader.whole(arities->at(i), "/devices_per_level" + at, kCount);
    level.bandwidth = reader.number(bandwidths->at(i), "/bws" + at, kRate);
    level.latency = reader.number(latencies->at(i), "/latency_per_level" + at, kAmount);
    instance.levels.push_back(level);
    capacity = std::min(capacity * level.arity, std::int64_t{1000000000});
  }
  if (reader.clean() && capacity < instance.devices)
    reader.report("/maxDevices", "inconsistent",
                  "found " + std::to_string(instance.devices) + "; allowed: at most the " +
                      std::to_string(capacity) + " devices that devices_per_level holds");
}

void read_scalars(ValueReader& reader, const json& document, NestInstance& instance) {
  instance.devices = reader.whole(document, "", "maxDevices", kCount);
  instance.micro_batches = reader.whole(document, "", "mbsInBatch", kCount);
  instance.expert = reader.whole(document, "", "ep_degree", kCount);
  instance.context = reader.whole(document, "", "cp_degree", kCount);
  instance.memory = reader.number(document, "", "maxMemoryPerDevice", kAmount);
  const json* recompute =
      reader.member(document, "", "activationRecomputation", &json::is_boolean, "true or false");
  instance.recompute = recompute != nullptr && recompute->get<bool>();
  const json* optimizer = reader.member(document, "", "optimizerAlgorithm");
  if (optimizer == nullptr) return;
  instance.adam = *optimizer == "Adam";
  if (!instance.adam && *optimizer != "SGD")
    reader.report("/optimizerAlgorithm", "out-of-range",
                  found_value(*optimizer) + "; allowed: \"SGD\" or \"Adam\"");
}

// The layers of one width as the file lists them.
struct LayerList {
  std::vector<NestLayer> layers;
  std::map<std::int64_t, std::int64_t> position;  // by id
};

LayerList read_layers(ValueReader& reader, const json& nodes, const std::string& path) {
  LayerList list;
  if (!nodes.is_array() || nodes.empty() || std::ssize(nodes) > kMaxNestLayers) {
    reader.report(path, "out-of-range",
                  found_value(nodes) + "; allowed: an array of 1 to " +
                      std::to_string(kMaxNestLayers) + " layers");
    return list;
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string at = path + "/" + std::to_string(i);
    const json& node = nodes[i];
    if (!node.is_object()) {
      reader.report(at, "wrong-type", found_value(node) + "; allowed: an object");
      continue;
    }
    const std::int64_t id = reader.whole(node, at, "id", kId);
    if (node.contains("id") && !list.position.emplace(id, std::ssize(list.layers)).second)
      reader.report(at + "/id", "duplicate",
                    "found " + std::to_string(id) + " a second time; allowed: each id once");
    list.layers.push_back(
        NestLayer{.forward = reader.number(node, at, "optimalLatencyFw", kAmount),
                  .backward = reader.number(node, at, "optimalLatencyBw", kAmount),
                  .parameters = reader.number(node, at, "parameterSize", kAmount),
                  .activations = reader.number(node, at, "activationSize", kAmount)});
  }
  return list;
}

std::vector<NestEdge> read_edges(ValueReader& reader, const json& edges, const std::string& path,
                                 const LayerList& list) {
  std::vector<NestEdge> read;
  if (!edges.is_array()) {
    reader.report(path, "wrong-type", found_value(edges) + "; allowed: an array of edges");
    return read;
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::string at = path + "/" + std::to_string(i);
    const json& edge = edges[i];
    if (!edge.is_object()) {
      reader.report(at, "wrong-type", found_value(edge) + "; allowed: an object");
      continue;
    }
    const auto end_of = [&](const char* key) {
      const std::int64_t id = reader.whole(edge, at, key, kId);
      const auto it = list.position.find(id);
      if (it != list.position.end()) return it->second;
      if (edge.contains(key))
        reader.report(at + "/" + key, "unknown-layer",
                      "found " + std::to_string(id) + "; allowed: the id of a layer of this width");
      return std::int64_t{-1};
    };
    const std::int64_t source = end_of("sourceId");
    const std::int64_t target = end_of("destId");
    read.push_back(NestEdge{source, target, reader.number(edge, at, "communicationCost", kAmount)});
  }
  return read;
}

// Positions in topological order, smallest id first among the free ones; shorter than the list when
// there is a cycle.
std::vector<std::int64_t> topological_order(const LayerList& list,
                                            const std::vector<NestEdge>& edges) {
  std::vector<std::int64_t> ids(list.layers.size());
  for (const auto& [id, position] : list.position) ids[static_cast<std::size_t>(position)] = id;
  std::vector<std::int64_t> waiting(list.layers.size(), 0);
  std::vector<std::vector<std::int64_t>> targets(list.layers.size());
  for (const NestEdge& edge : edges) {
    ++waiting[static_cast<std::size_t>(edge.target)];
    targets[static_cast<std::size_t>(edge.source)].push_back(edge.target);
  }
  std::set<std::pair<std::int64_t, std::int64_t>> free;  // id, position
  for (const auto& [id, position] : list.position)
    if (waiting[static_cast<std::size_t>(position)] == 0) free.emplace(id, position);
  std::vector<std::int64_t> order;
  while (!free.empty()) {
    const std::int64_t position = free.begin()->second;
    free.erase(free.begin());
    order.push_back(position);
    for (const std::int64_t target : targets[static_cast<std::size_t>(position)])
      if (--waiting[static_cast<std::size_t>(target)] == 0)
        free.emplace(ids[static_cast<std::size_t>(target)], target);
  }
  return order;
}

// Precondition: every edge joins layers of the list.
void sort_graph(ValueReader& reader, const std::string& path, const LayerList& list,
                std::vector<NestEdge> edges, NestGraph& graph) {
  const std::vector<std::int64_t> order = topological_order(list, edges);
  std::vector<std::int64_t> rank(list.layers.size(), -1);
  for (const std::int64_t position : order) {
    rank[static_cast<std::size_t>(position)] = std::ssize(graph.layers);
    graph.layers.push_back(list.layers[static_cast<std::size_t>(position)]);
  }
  if (order.size() < list.layers.size()) {
    std::string left;
    for (const auto& [id, position] : list.position)
      if (rank[static_cast<std::size_t>(position)] < 0 && left.size() < 60)
        left += (left.empty() ? "" : ", ") + std::to_string(id);
    reader.report(
        path, "cycle",
        "found a cycle among or before layers " + left + "; allowed: edges without cycles");
    return;
  }
  for (NestEdge& edge : edges) {
    edge.source = rank[static_cast<std::size_t>(edge.source)];
    edge.target = rank[static_cast<std::size_t>(edge.target)];
  }
  graph.edges = std::move(edges);
}

std::int64_t read_width(ValueReader& reader, const std::string& key, const std::string& path) {
  const bool digits = !key.empty() && key.size() <= 9 && key.front() != '0' &&
                      key.find_first_not_of("0123456789") == std::string::npos;
  if (digits) return std::stoll(key);
  reader.report(
      path, "out-of-range",
      "found the key \"" + key + "\"; allowed: a tensor-parallel width from 1 to 999999999");
  return 1;
}

void read_graph(ValueReader& reader, const std::string& width, const json& nodes, const json& edges,
                NestInstance& instance, std::set<std::int64_t>& ids) {
  const std::string node_path = "/nodes" + pointer_step(width);
  const std::string edge_path = "/edges" + pointer_step(width);
  NestGraph graph;
  graph.tp = read_width(reader, width, node_path);
  const LayerList list = read_layers(reader, nodes, node_path);
  std::set<std::int64_t> own;
  for (const auto& [id, position] : list.position) own.insert(id);
  if (ids.empty()) ids = own;
  if (own != ids)
    reader.report(
        node_path, "inconsistent",
        "found layer ids that differ from another width's; allowed: the same at every width");
  std::vector<NestEdge> read = read_edges(reader, edges, edge_path, list);
  const bool joined = std::all_of(read.begin(), read.end(), [](const NestEdge& edge) {
    return edge.source >= 0 && edge.target >= 0;
  });
  if (joined && list.position.size() == list.layers.size())
    sort_graph(reader, edge_path, list, std::move(read), graph);
  instance.graphs.push_back(std::move(graph));
}

void read_graphs(ValueReader& reader, const json& document, NestInstance& instance) {
  const auto widths = [&](const char* key) {
    return reader.member(document, "", key, &json::is_object, "an object, one entry per width");
  };
  const json* nodes = widths("nodes");
  const json* edges = widths("edges");
  if (nodes == nullptr || edges == nullptr) return;
  if (nodes->empty())
    reader.report("/nodes", "out-of-range", "found no width; allowed: at least one");
  std::set<std::int64_t> ids;
  for (const auto& [width, list] : nodes->items()) {
    const json* own = reader.member(*edges, "/edges", width.c_str());
    read_graph(reader, width, list, own == nullptr ? json::array() : *own, instance, ids);
  }
  for (const auto& [width, list] : edges->items())
    if (!nodes->contains(width))
      reader.report("/edges" + pointer_step(width), "inconsistent",
                    "found edges of a width without nodes; allowed: the widths of /nodes");
  std::sort(instance.graphs.begin(), instance.graphs.end(),
            [](const NestGraph& a, const NestGraph& b) { return a.tp < b.tp; });
}

}  // namespace

NestInstance parse_nest(std::string_view text) {
  const json document = parse_json(text);
  ValueReader reader;
  NestInstance instance;
  if (document.is_object()) {
    read_scalars(reader, document, instance);
    read_levels(reader, document, instance);
    read_graphs(reader, document, instance);
  } else {
    reader.report("", "wrong-type", found_value(document) + "; allowed: an object");
  }
  reader.finish();
  return instance;
}

nlohmann::ordered_json nest_row(std::string_view file, const NestPlan& plan) {
  nlohmann::ordered_json row = {
      {"file", file},  {"feasible", plan.feasible}, {"step", nullptr}, {"dp", nullptr},
      {"tp", nullptr}, {"stages", nullptr},         {"cuts", nullptr}};
  if (!plan.feasible) return row;
  row["step"] = plan.step;
  row["dp"] = plan.dp;
  row["tp"] = plan.tp;
  row["stages"] = plan.stages;
  row["cuts"] = plan.cuts;
  return row;
}

nlohmann::ordered_json nest_answer(std::string_view file, std::string_view text) {
  return nest_row(file, solve_nest(parse_nest(text)));
}

nlohmann::ordered_json nest_answers(std::span<const NestFile> files) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  std::vector<Issue> issues;
  for (std::size_t i = 0; i < files.size(); ++i) {
    try {
      rows.push_back(nest_answer(files[i].name, files[i].text));
    } catch (const InputError& error) {
      for (Issue issue : error.issues()) {
        issue.path = "/" + std::to_string(i) + issue.path;
        issue.message = files[i].name + ": " + issue.message;
        issues.push_back(std::move(issue));
      }
    }
  }
  if (!issues.empty()) throw InputError(std::move(issues));
  return rows;
}

}  // namespace nestplan
