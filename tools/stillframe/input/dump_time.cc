// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/dump_time.h"

#include <algorithm>

namespace stillframe::input {
namespace {

uint64_t EndOf(uint64_t start_ns, uint64_t span_ns) {
  return start_ns + std::min(span_ns, UINT64_MAX - start_ns);
}

uint64_t EndOf(const model::Message& message) {
  return EndOf(message.start_ns, static_cast<uint64_t>(std::max<int64_t>(message.wall_ns, 0)));
}

}  // namespace

void RestoreTime(model::Document* document) {
  if (document->taken_monotonic_ns != 0) return;
  uint64_t latest_ns = 0;
  if (document->running) {
    latest_ns = EndOf(*document->running);
  } else {
    for (const model::Message& message : document->history)
      latest_ns = std::max(latest_ns, EndOf(message));
    for (const model::HistoryRecord& record : document->records)
      latest_ns = std::max(latest_ns, EndOf(record.start_ns, record.span_ns));
  }
  if (latest_ns == 0) return;
  document->taken_monotonic_ns = latest_ns;
  document->damage.push_back(
      "the time of the dump is lost; taken for it is the end of the latest thing in it");
}

}  // namespace stillframe::input
