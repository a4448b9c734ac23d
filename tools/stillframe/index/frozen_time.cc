// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/index/frozen_time.h"

#include <algorithm>

#include "src/model/trace_tree.h"

namespace stillframe::index {
namespace {

// The same limits as the reader's.
// Samples follow each other: the first begins with the message, and each ends where the next one
// begins.
model::TraceTree WithoutSpans(const model::TraceTree& tree, uint64_t start_ns,
                              std::span<const TimeSpan> spans) {
  model::TraceTree rest(tree.token(), model::kHostTreeLimits);
  uint64_t begin_ns = start_ns;
  tree.ForEachStack(
      [&](uint32_t, std::span<const model::FrameId> stack, const model::Sample& sample) {
        const uint64_t end_ns = begin_ns + uint64_t{sample.weight_us} * 1000;
        const uint64_t out_us = OverlapNs({begin_ns, end_ns}, spans) / 1000;
        model::Sample shorter = sample;
        shorter.weight_us -= static_cast<uint32_t>(std::min<uint64_t>(out_us, sample.weight_us));
        rest.Add(stack, shorter);
        begin_ns = end_ns;
      });
  rest.SetHistory(tree.interval_scale(), tree.samples_added(), tree.truncated_stacks());
  return rest;
}

}  // namespace

std::vector<TimeSpan> FrozenSpans(const model::Document& document) {
  std::vector<TimeSpan> spans;
  for (const model::HistoryRecord& record : document.records) {
    if (record.kind != model::SpanKind::kFrozen || record.looper != 0) continue;
    spans.push_back({record.start_ns,
                     record.start_ns + std::min(record.span_ns, UINT64_MAX - record.start_ns)});
  }
  std::sort(spans.begin(), spans.end(),
            [](const TimeSpan& a, const TimeSpan& b) { return a.begin_ns < b.begin_ns; });
  uint64_t last_ns = 0;
  for (TimeSpan& span : spans) {
    span.begin_ns = std::max(span.begin_ns, last_ns);
    span.end_ns = std::max(span.end_ns, span.begin_ns);
    last_ns = span.end_ns;
  }
  return spans;
}

uint64_t OverlapNs(const TimeSpan& span, std::span<const TimeSpan> others) {
  uint64_t ns = 0;
  for (const TimeSpan& other : others) {
    const uint64_t begin_ns = std::max(span.begin_ns, other.begin_ns);
    const uint64_t end_ns = std::min(span.end_ns, other.end_ns);
    ns += end_ns > begin_ns ? end_ns - begin_ns : 0;
  }
  return ns;
}

void TakeOutFrozenTime(model::Document* document) {
  const std::vector<TimeSpan> spans = FrozenSpans(*document);
  if (spans.empty()) return;
  for (model::TraceTree& tree : document->trees) {
    const auto is_its = [&tree](const model::Message& message) {
      return message.token == tree.token() && message.start_ns != 0;
    };
    const auto past = std::ranges::find_if(document->history, is_its);
    const model::Message* const message = document->running && is_its(*document->running)
                                              ? &*document->running
                                          : past != document->history.end() ? &*past
                                                                            : nullptr;
    if (message != nullptr) tree = WithoutSpans(tree, message->start_ns, spans);
  }
}

}  // namespace stillframe::index
