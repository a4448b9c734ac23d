// SPDX-License-Identifier: Apache-2.0
// Writes the fields of Matrix's issue that a dump knows.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <iterator>
#include <nlohmann/json.hpp>

#include "src/model/context_names.h"
#include "src/model/evil_stack.h"
#include "tools/stillframe/export/exports.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/units.h"

namespace stillframe::exports {
namespace {

namespace context = model::context;
using index::kNsPerMs;

using State = model::ContextEntry::State;

constexpr int64_t kBusyPermille = 900;

const model::ContextEntry* Find(const model::Document& document, std::string_view group,
                                std::string_view name) {
  const auto found = std::find_if(document.context.begin(), document.context.end(),
                                  [group, name](const model::ContextEntry& entry) {
                                    return entry.group == group && entry.name == name &&
                                           entry.state != State::kAbsent;
                                  });
  return found == document.context.end() ? nullptr : &*found;
}

std::string ValueOf(const model::Document& document, std::string_view group, std::string_view name,
                    int64_t divisor = 1) {
  const model::ContextEntry* entry = Find(document, group, name);
  if (entry == nullptr) return "unknown";
  return entry->state == State::kNumber ? std::to_string(entry->number / divisor)
                                        : index::Truncated(entry->text, 200);
}

// "11-21 10:46:02.120", in UTC.
std::string ClockText(const model::Document& document, uint64_t monotonic_ns) {
  const uint64_t before_ns =
      document.taken_monotonic_ns - std::min(monotonic_ns, document.taken_monotonic_ns);
  if (document.taken_realtime_ns <= before_ns) return "unknown";
  const uint64_t realtime_ms = (document.taken_realtime_ns - before_ns) / kNsPerMs;
  const auto seconds = static_cast<std::time_t>(realtime_ms / 1000);
  std::tm parts{};
  if (gmtime_r(&seconds, &parts) == nullptr) return "unknown";
  return fmt::format("{:02}-{:02} {:02}:{:02}:{:02}.{:03}", parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec, realtime_ms % 1000);
}

std::string MsOrUnknown(int64_t ns) {
  return ns < 0 ? "unknown" : std::to_string(static_cast<uint64_t>(ns) / kNsPerMs);
}

std::string StackText(const index::CallTree& tree) {
  std::string text;
  const std::vector<uint32_t> path = index::HeaviestPath(tree, 50);
  for (auto node = path.rbegin(); node != path.rend(); ++node) {
    const index::MethodId method = tree.nodes()[*node].method;
    text += fmt::format("{}({})\n", tree.NameOf(method), tree.PlaceOf(method));
  }
  return text;
}

constexpr size_t kMatrixEntries = 30;  // Matrix's limit

}  // namespace

std::string BlockFacts(const index::DumpIndex& index, const model::Message& message) {
  const model::Document& document = index.document();
  std::string text;
  const auto add = [&text](std::string_view name, const std::string& value) {
    text += fmt::format("{} = {}\n", name, value);
  };
  add("versionName", ValueOf(document, context::kProcess, context::kVersionName));
  add("versionCode", ValueOf(document, context::kProcess, context::kVersionCode));
  add("uid", std::to_string(document.identity.uid));
  add("model", ValueOf(document, context::kDevice, "model"));
  add("api-level", ValueOf(document, context::kDevice, context::kApiLevel));
  add("cpu-core", ValueOf(document, context::kDevice, context::kCores));
  add("process", index::Truncated(document.identity.process_name, 200));
  add("freeMemory", ValueOf(document, context::kMemory, context::kAvailableBytes, 1024));
  add("totalMemory", ValueOf(document, context::kMemory, context::kTotalBytes, 1024));
  add("time", MsOrUnknown(message.wall_ns));
  add("thread-time", MsOrUnknown(message.cpu_ns));
  add("time-start", ClockText(document, message.start_ns));
  const uint64_t wall_ns = static_cast<uint64_t>(std::max<int64_t>(message.wall_ns, 0));
  add("time-end",
      ClockText(document, message.start_ns + std::min(wall_ns, UINT64_MAX - message.start_ns)));
  const model::ContextEntry* busy = Find(document, context::kCpu, context::kSystemBusyPermille);
  add("cpu-busy", busy == nullptr ? "unknown" : busy->number >= kBusyPermille ? "true" : "false");
  add("cpu-rate", ValueOf(document, context::kCpu, context::kSystemBusyPermille) + " permille");
  add("message", index::DispatchText(index.DispatchFor(message)));
  if (const index::CallTree* tree = index.TreeOf(message.token))
    text += "stack =\n" + StackText(*tree);
  else
    add("stack", "unknown");
  return text;
}

std::string MatrixIssue(const index::DumpIndex& index, Token token) {
  const index::CallTree& tree = *index.TreeOf(token);
  const model::Document& document = index.document();
  const model::Message& message = *index.MessageOf(token);
  const bool is_anr = document.trigger == model::Trigger::kSigquit && document.running &&
                      document.running->token == token;
  const auto sampled_ms = static_cast<uint32_t>(tree.root().total_us / 1000);
  auto stack = model::EvilStackOf(*index.TraceOf(token), document.frames, 0);
  const uint32_t key = model::KeyOf(stack, sampled_ms);
  model::Trim(sampled_ms, kMatrixEntries, key, &stack);
  std::string lines;
  nlohmann::ordered_json methods = nlohmann::ordered_json::object();
  for (const model::EvilEntry& entry : stack) {
    lines += fmt::format("{},{},{},{}\n", entry.depth, entry.id, entry.count, entry.ms);
    methods[std::to_string(entry.id)] = model::NameOf(entry, document.frames);
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
