// SPDX-License-Identifier: Apache-2.0
// JSON of rankings and their differences.
#include <nlohmann/json.hpp>

#include "tools/stillframe/compare/ranking.h"

namespace stillframe::compare {
namespace {

using nlohmann::ordered_json;

ordered_json SideJson(const Ranking& ranking) {
  return {{"dumps", ranking.dumps()},
          {"looks", ranking.looks()},
          {"messages", ranking.all().messages},
          {"total_us", ranking.all().total_us}};
}

}  // namespace

std::string TopJson(const Ranking& ranking, const TextOptions& options) {
  ordered_json methods = ordered_json::array();
  for (const MethodId id : ranking.HottestMethods(options.rows, options.by_total)) {
    const Sums& sums = ranking.methods()[id];
    methods.push_back({{"method", ranking.names()[id]},
                       {"self_us", sums.self_us},
                       {"total_us", sums.total_us},
                       {"messages", sums.messages}});
  }
  ordered_json stacks = ordered_json::array();
  for (const StackId id : ranking.HottestStacks(kStackRows)) {
    const Sums& sums = ranking.stacks()[id].sums;
    ordered_json frames = ordered_json::array();
    for (StackId at = id; at != kEmptyStack; at = ranking.stacks()[at].parent)
      frames.push_back(ranking.names()[ranking.stacks()[at].method]);
    stacks.push_back({{"self_us", sums.self_us},
                      {"samples", sums.samples},
                      {"messages", sums.messages},
                      {"frames", frames}});
  }
  ordered_json json = SideJson(ranking);
  json["methods"] = methods;
  json["stacks"] = stacks;
  return json.dump(1) + "\n";
}

std::string DiffJson(const Ranking& before, const Ranking& after, const TextOptions& options) {
  std::vector<Change> changes = Changes(before, after, options.by_total);
  changes.resize(std::min(changes.size(), options.rows));
  ordered_json methods = ordered_json::array();
  for (const Change& change : changes) {
    methods.push_back({{"method", change.name},
                       {"before_percent", change.before.percent},
                       {"after_percent", change.after.percent},
                       {"before_ms_per_message", change.before.ms_per_message},
                       {"after_ms_per_message", change.after.ms_per_message}});
  }
  const ordered_json json = {{"by", options.by_total ? "total" : "self"},
                             {"before", SideJson(before)},
                             {"after", SideJson(after)},
                             {"methods", methods}};
  return json.dump(1) + "\n";
}

}  // namespace stillframe::compare
