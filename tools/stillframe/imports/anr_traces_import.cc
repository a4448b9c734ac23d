// SPDX-License-Identifier: Apache-2.0
// The first process's part of a file of traces, and the system's reason before it.
#include <algorithm>
#include <charconv>

#include "tools/stillframe/imports/field_import.h"
#include "tools/stillframe/imports/imported_message.h"
#include "tools/stillframe/imports/trace_threads.h"

namespace stillframe::imports {
namespace {

constexpr size_t kMaxText = 4U << 20U;
constexpr std::string_view kBegin = "----- pid ";

// The rest of the first line that begins so; "" without one.
std::string_view LineAfter(std::string_view text, std::string_view label) {
  size_t at = text.starts_with(label) ? 0 : std::string_view::npos;
  if (at != 0) {
    at = text.find("\n" + std::string(label));
    if (at == std::string_view::npos) return {};
    ++at;
  }
  const std::string_view rest = text.substr(at + label.size());
  const std::string_view line = rest.substr(0, rest.find('\n'));
  return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

}  // namespace

bool ImportAnrTraces(std::string_view text, model::Document* document, std::string* error) {
  const size_t begin = text.find(kBegin);
  const std::string_view process = begin == std::string_view::npos ? "" : text.substr(begin);
  const std::string_view own = process.substr(0, process.find("\n----- end "));
  if (own.find("\"main\" ") == std::string_view::npos) {
    *error =
        "has no process with a main thread; give a file of /data/anr, or a bug report with "
        "'VM TRACES AT LAST ANR'";
    return false;
  }
  const std::string_view id = own.substr(kBegin.size());
  std::from_chars(id.data(), id.data() + id.size(), document->identity.pid);
  document->format_version = 1;
  document->trigger = model::Trigger::kSigquit;
  document->trigger_confirmed = "the system's own traces of an ANR";
  // AOSP 11 and later write it before the first process; bug reports, in the log of events.
  document->system_reason = LineAfter(text.substr(0, begin), "Subject: ");
  document->identity.process_name = LineAfter(own, "Cmd line: ");
  document->identity.sampler_state = "imported from the system's traces";
  document->identity.tap = "imported";
  document->taken_monotonic_ns = 1'000'000'000;
  const std::string_view kept = own.substr(0, kMaxText);
  document->frames = FramesFor(kept);
  document->thread_stacks = StacksOfTraces(kept, &document->frames);
  model::SignalCatcherText& traces = document->signal_catcher.emplace();
  traces.source = "a file of traces";
  traces.full_bytes = own.size();
  traces.text = kept;
  return true;
}

}  // namespace stillframe::imports
