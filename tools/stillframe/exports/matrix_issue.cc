// SPDX-License-Identifier: Apache-2.0
// The fields of Matrix's issue that a dump knows.
#include "tools/stillframe/exports/matrix_issue.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "tools/stillframe/calltree/matrix_stack.h"

namespace stillframe::exports {

using calltree::MatrixEntry;

std::string MatrixIssue(const index::DumpIndex& index, uint64_t token) {
  const calltree::CallTree& tree = *index.TreeOf(token);
  const model::Document& document = index.document();
  const model::Message& message = *index.MessageOf(token);
  const bool is_anr = document.trigger == model::Trigger::kSigquit && document.running &&
                      document.running->token == token;
  const std::vector<MatrixEntry> stack = calltree::MatrixStack(tree);
  const uint64_t sampled_ms = tree.root().total_us / 1000;
  std::string lines;
  nlohmann::ordered_json methods = nlohmann::ordered_json::object();
  for (const MatrixEntry& entry : stack) {
    lines += fmt::format("{},{},{},{}\n", entry.depth, entry.id, entry.count, entry.ms);
    methods[std::to_string(entry.id)] = tree.NameOf(entry.method);
  }
  nlohmann::ordered_json issue = {
      {"tag", "Trace_EvilMethod"},
      {"process", document.identity.process_name},
      {"time", document.taken_realtime_ns / 1'000'000},
      {"detail", is_anr ? "ANR" : "NORMAL"},
      {"cost",
       message.wall_ns < 0 ? sampled_ms : static_cast<uint64_t>(message.wall_ns) / 1'000'000},
      {"scene", document.annotations.scene}};
  if (message.cpu_ns >= 0 && message.wall_ns > 0) {
    issue["usage"] = fmt::format("{:.2f}%", 100 * static_cast<double>(message.cpu_ns) /
                                                static_cast<double>(message.wall_ns));
  }
  issue["stack"] = lines;
  issue["stackKey"] = calltree::MatrixStackKey(stack, sampled_ms);
  issue["methods"] = std::move(methods);
  return issue.dump(2) + "\n";
}

}  // namespace stillframe::exports
