// SPDX-License-Identifier: Apache-2.0
// Writes one line for each message, sample, counter and frame.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/render/facts.h"
#include "tools/stillframe/render/text_report.h"
#include "tools/stillframe/words/wording.h"

namespace stillframe::render {
namespace {

constexpr uint32_t kDeepestIndent = 60;

void ListFacts(std::string_view name, const Facts& facts, std::string* out) {
  *out += fmt::format("{}\n", name);
  for (const auto& [label, value] : facts) *out += fmt::format("  {}: {}\n", label, value);
}

void ListMessage(const index::DumpIndex& index, const model::Message& message, std::string* out) {
  const std::string flags = FlagsText(message.flags);
  const std::string& who = model::CallbackOrMethod(message);
  *out += fmt::format(
      "  token {}: start {} ({}), waited {}, wall {}, cpu {}, samples {}, what {}, target {}, "
      "callback {}{}{}{}{}\n",
      NumberOf(message.token), message.start_ns, RelativeStart(index.document(), message),
      index::Duration(message.wait_ns), index::Duration(message.wall_ns),
      index::Duration(message.cpu_ns), message.samples, message.what,
      message.target.empty() ? "-" : message.target, who.empty() ? "-" : who,
      flags.empty() ? "" : ", ", flags,
      (message.flags & model::kMessageHasTree) != 0 ? ", has a tree" : "",
      (message.flags & model::kMessageIdentityUnknown) != 0 ? ", identity unknown" : "");
}

void ListTree(const model::Document& document, const model::TraceTree& tree, std::string* out) {
  *out += fmt::format(
      "tree of token {}: {} samples of {} taken, interval x{}, {} nodes, {} stacks truncated\n",
      NumberOf(tree.token()), tree.sample_count(), tree.samples_added(), tree.interval_scale(),
      tree.nodes().size() - 1, tree.truncated_stacks());
  for (const model::Node& node : tree.nodes().subspan(1)) {
    const model::Frame& frame = document.frames.At(node.frame);
    const uint32_t depth = node.depth - 1;
    *out += fmt::format("  {:>5} from {:<5} {:>4}{:{}} {} ({}) {}\n", node.count, node.offset,
                        depth, "", std::min(depth, kDeepestIndent),
                        index::MethodName(document.frames.String(frame.class_name),
                                          document.frames.String(frame.method_name), frame.kind),
                        index::SourcePlace(document.frames.String(frame.source_file), frame.line),
                        index::NameOf(frame.kind));
  }
}

void ListPending(const model::Document& document, std::string* out) {
  const std::string absence = PendingAbsence(document);
  if (!absence.empty()) {
    *out += fmt::format("pending: {}\n", absence);
    return;
  }
  const std::string of = document.pending_total > document.pending.size()
                             ? fmt::format(" of {}", document.pending_total)
                             : "";
  *out += fmt::format("pending ({}{}, from {}{})\n", document.pending.size(), of,
                      document.pending_source, document.pending_is_truncated ? ", cut" : "");
  for (const model::PendingMessage& message : document.pending)
    *out += fmt::format("  {}: {}\n", DueText(message.delay_ms), PendingText(message));
}

}  // namespace

std::string Listing(const index::DumpIndex& index, const judge::Verdict& verdict) {
  const model::Document& document = index.document();
  std::string out;
  for (const std::string& line : document.damage) out += fmt::format("partial: {}\n", line);
  out += fmt::format("verdict ({}): {}\n", index::NameOf(verdict.kind),
                     words::Explain(verdict).headline);
  ListFacts("identity", ProcessFacts(document), &out);
  Facts settings;
  for (const model::NamedText& setting : document.configuration)
    settings.emplace_back(setting.name, setting.value);
  ListFacts("configuration", settings, &out);
  Facts counters;
  for (const model::NamedCount& counter : document.counters)
    counters.emplace_back(counter.name, std::to_string(counter.value));
  ListFacts("counters", counters, &out);
  out += fmt::format("history ({} messages, {} lost before)\n", document.history.size(),
                     document.history_lost);
  for (const model::Message& message : document.history) ListMessage(index, message, &out);
  out += fmt::format("running{}\n", document.running ? "" : ": none");
  if (document.running) ListMessage(index, *document.running, &out);
  ListPending(document, &out);
  out += fmt::format("frames: {}, strings: {} of {} bytes\n", document.frames.size(),
                     document.frames.string_count(), document.frames.string_bytes());
  for (const model::TraceTree& tree : document.trees) ListTree(document, tree, &out);
  return out;
}

}  // namespace stillframe::render
