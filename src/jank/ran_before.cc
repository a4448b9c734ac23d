// SPDX-License-Identifier: Apache-2.0
// Lines of entries of the history.
#include "src/jank/ran_before.h"

#include <algorithm>

#include "src/jank/json_text.h"
#include "src/os/duration.h"

namespace stillframe::jank {
namespace {

using history::Entry;
using history::EntryKind;

constexpr size_t kMostLines = 5;
constexpr size_t kMaxName = 48;  // the end of a class name tells more than its package

const char* KindOf(const Entry& entry) {
  switch (entry.kind) {
    case EntryKind::kMessage: return "message";
    case EntryKind::kRun: return "messages";
    case EntryKind::kIdle: return "idle";
    case EntryKind::kFrozen: return "frozen";
    case EntryKind::kSegment: return "segment";
    case EntryKind::kBlind: return "blind";
  }
  return "";
}

}  // namespace

std::string RanBefore(const history::EntryRing& past, const trace::FrameTable& names,
                      bool has_methods) {
  std::string lines;
  for (size_t i = 0; i < std::min(past.size(), kMostLines); ++i) {
    const Entry& entry = past.At(past.size() - 1 - i);
    lines.append(KindOf(entry)).append(",");
    AppendNumber(entry.IsWork() ? std::max(entry.messages, 1U) : 1, &lines);
    lines += ',';
    AppendNumber((entry.end_ns - entry.start_ns) / os::kNsPerMs, &lines);
    const bool has_name = has_methods || entry.kind != EntryKind::kSegment;
    std::string_view name = has_name ? names.String(entry.callback) : "";
    if (name.empty()) name = names.String(entry.target);
    lines.append(",").append(name.substr(name.size() - std::min(name.size(), kMaxName))) += '\n';
  }
  return lines;
}

}  // namespace stillframe::jank
