// SPDX-License-Identifier: Apache-2.0
// The fields of Matrix's issue that a dump knows.
#include "tools/stillframe/exports/matrix_issue.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "src/trace/evil_stack.h"

namespace stillframe::exports {

namespace {

constexpr size_t kMaxEntries = 30;  // as Matrix has it

}  // namespace

std::string MatrixIssue(const index::DumpIndex& index, uint64_t token) {
  const calltree::CallTree& tree = *index.TreeOf(token);
  const model::Document& document = index.document();
  const model::Message& message = *index.MessageOf(token);
  const bool is_anr = document.trigger == model::Trigger::kSigquit && document.running &&
                      document.running->token == token;
  const auto sampled_ms = static_cast<uint32_t>(tree.root().total_us / 1000);
  auto stack = trace::EvilStackOf(*index.TraceOf(token), document.frames, 0);
  const uint32_t key = trace::KeyOf(stack, sampled_ms);
  trace::Trim(sampled_ms, kMaxEntries, key, &stack);
  std::string lines;
  nlohmann::ordered_json methods = nlohmann::ordered_json::object();
  for (const trace::EvilEntry& entry : stack) {
    lines += fmt::format("{},{},{},{}\n", entry.depth, entry.id, entry.count, entry.ms);
    methods[std::to_string(entry.id)] = trace::NameOf(entry, document.frames);
  }
  nlohmann::ordered_json issue = {
      {"tag", "Trace_EvilMethod"},
      {"process", document.identity.process_name},
      {"time", document.taken_realtime_ns / 1'000'000},
      {"detail", is_anr ? "ANR" : "NORMAL"},
      {"cost", message.wall_ns < 0 ? uint64_t{sampled_ms}
                                   : static_cast<uint64_t>(message.wall_ns) / 1'000'000},
      {"scene", document.annotations.scene}};
  if (message.cpu_ns >= 0 && message.wall_ns > 0) {
    issue["usage"] = fmt::format("{:.2f}%", 100 * static_cast<double>(message.cpu_ns) /
                                                static_cast<double>(message.wall_ns));
  }
  issue["stack"] = lines;
  issue["stackKey"] = stack.empty() ? "" : fmt::format("{}|", key);
  issue["methods"] = std::move(methods);
  return issue.dump(2) + "\n";
}

}  // namespace stillframe::exports
