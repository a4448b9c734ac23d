// SPDX-License-Identifier: Apache-2.0
// Effects of the system on the process: memory, CPUs, collections.
#include <algorithm>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/units.h"
#include "tools/stillframe/judge/case.h"
#include "tools/stillframe/judge/context_figures.h"
#include "tools/stillframe/judge/wait_chain.h"

namespace stillframe::judge {

using index::WindowShare;

using index::kNsPerMs;
using model::Document;

std::optional<int64_t> NumberOf(const model::Document& document, std::string_view group,
                                std::string_view name) {
  for (const model::ContextEntry& entry : document.context)
    if (entry.state == model::ContextEntry::State::kNumber && entry.group == group &&
        entry.name == name)
      return entry.number;
  return std::nullopt;
}

std::string TextOf(const model::Document& document, std::string_view group, std::string_view name) {
  for (const model::ContextEntry& entry : document.context)
    if (entry.state == model::ContextEntry::State::kText && entry.group == group &&
        entry.name == name)
      return index::Truncated(entry.text, 100);
  return {};
}

Pressure PressureOf(const Document& document, std::string_view group) {
  return {.full_permille = Positive(NumberOf(document, group, context::kPressureFullPermille)),
          .some_permille = Positive(NumberOf(document, group, context::kPressureSomePermille))};
}

evidence::Rival RivalEvidence(const model::ThreadRow& row, uint64_t interval_ms) {
  const uint64_t used_ms = CpuMs(row);
  const uint64_t kernel_ms = Positive(row.system_ms);
  return {
      .thread = {index::Truncated(row.name, 60), row.tid},
      .time = {.ns = used_ms * kNsPerMs, .of_ns = interval_ms * kNsPerMs},
      .kernel_percent = kernel_ms * 5 >= used_ms ? (100 * kernel_ms + used_ms / 2) / used_ms : 0};
}

namespace {

constexpr size_t kMostRivals = 3;
constexpr uint64_t kLeastFaultsPart = 10;  // a smaller part is not worth saying

// Why memory is short. Nothing if it is not, or if the slow messages computed.
std::optional<Evidence> ShortageOfMemory(const Case& facts) {
  const Document& document = facts.index.document();
  uint64_t cpu_ns = 0;
  for (const WindowShare& share : facts.window.slow) cpu_ns += Positive(share.message->cpu_ns);
  if (facts.window.slow_ns < index::kNotableNs || cpu_ns * 10 > facts.window.slow_ns * 6)
    return std::nullopt;
  const auto full = NumberOf(document, context::kMemory, context::kPressureFullPermille);
  const auto some = NumberOf(document, context::kMemory, context::kPressureSomePermille);
  if (full.value_or(0) >= kFullPressurePermille || some.value_or(0) >= kSomePressurePermille)
    return evidence::MemoryPressure{{Positive(full), Positive(some)}};
  const auto available = NumberOf(document, context::kMemory, context::kAvailableBytes);
  const auto total = NumberOf(document, context::kMemory, context::kTotalBytes);
  const auto faults = NumberOf(document, context::kMemory, context::kMajorFaults);
  if (!available || !total || *total / 20 <= *available || faults.value_or(0) < kManyMajorFaults)
    return std::nullopt;
  return evidence::LittleMemory{
      .available = {.bytes = Positive(available), .of_bytes = Positive(total)},
      .major_faults = Positive(faults)};
}

// The process's CPU time before the dump minus that of the listed threads: used by threads that
// ended or are not listed. 0 if the two cover different times.
uint64_t UsedByEndedMs(const Document& document, uint64_t interval_ms) {
  const uint64_t busy = Positive(NumberOf(document, context::kCpu, context::kProcessBusyPermille));
  const uint64_t whole_ms = Positive(NumberOf(document, context::kCpu, context::kWindowMs));
  if (whole_ms > interval_ms + interval_ms / 10 || interval_ms > whole_ms + whole_ms / 10) return 0;
  uint64_t listed_ms = 0;
  for (const model::ThreadRow& row : document.threads->rows) listed_ms += CpuMs(row);
  const auto used_ms =
      static_cast<uint64_t>(static_cast<double>(busy) / 1000 * static_cast<double>(whole_ms));
  return used_ms - std::min(used_ms, listed_ms);
}

}  // namespace

bool IsShortOfMemory(const Case& facts) {
  // Late pages make a thread idle, read or wait for a CPU. Causes that name a lock or a waited-for
  // thread stay, whatever the memory.
  switch (facts.lead.contributor.cause) {
    case judge::Cause::kWork:
    case judge::Cause::kStill:
    case judge::Cause::kInputOutput:
    case judge::Cause::kNoCpu:
    case judge::Cause::kRuntime:
    case judge::Cause::kUnseen: return ShortageOfMemory(facts).has_value();
    default: return false;
  }
}

void AddMemory(const Case& facts, Verdict* verdict) {
  const Document& document = facts.index.document();
  const uint64_t faults_ns = facts.ranking.NsOf(judge::Cause::kMemory);
  if (faults_ns * kLeastFaultsPart >= facts.ranking.length_ns && faults_ns > 0)
    verdict->evidence.push_back(evidence::PageFaults{
        .time = {.ns = faults_ns, .of_ns = facts.ranking.length_ns},
        .major_faults = Positive(NumberOf(document, context::kMemory, context::kMajorFaults)),
        .pressure = PressureOf(document, context::kMemory)});
  if (const auto shortage = ShortageOfMemory(facts)) verdict->evidence.push_back(*shortage);
}

void AddRivals(const Case& facts, Verdict* verdict) {
  const Document& document = facts.index.document();
  const uint64_t interval_ms = document.threads ? index::IntervalMs(*document.threads) : 0;
  const bool is_listed = document.threads && !document.threads->rows.empty();
  if (!is_listed || interval_ms < kLeastIntervalMs) {
    verdict->evidence.push_back(
        evidence::RivalsUnknown{.watched_ns = is_listed ? interval_ms * kNsPerMs : 0});
    return;
  }
  uint64_t rivals_ms = 0;
  for (const model::ThreadRow& row : document.threads->rows) {
    if (row.tid == MainTid(document)) continue;
    const uint64_t used_ms = CpuMs(row);
    rivals_ms += used_ms;
    if (used_ms * 20 < interval_ms || used_ms == 0 || verdict->threads.size() == kMostRivals)
      continue;
    evidence::Rival rival = RivalEvidence(row, interval_ms);
    verdict->threads.push_back(rival.thread.name);
    verdict->evidence.push_back(std::move(rival));
  }
  const uint64_t ended_ms = UsedByEndedMs(document, interval_ms);
  rivals_ms += ended_ms;
  // Threads may be blamed if they used at least half as much CPU time as was waited for.
  const bool is_theirs = rivals_ms * 2 * std::max<uint64_t>(facts.window.slow_ns, 1) >=
                         facts.lead.contributor.ns * interval_ms;
  if (ended_ms * 10 >= interval_ms)
    verdict->evidence.push_back(
        evidence::EndedRivals{{.ns = ended_ms * kNsPerMs, .of_ns = interval_ms * kNsPerMs}});
  else if (verdict->threads.empty() || !is_theirs)
    verdict->evidence.push_back(evidence::OtherProcesses{.named_threads = verdict->threads.size()});
  verdict->is_rival_known = is_theirs && !verdict->threads.empty();
  if (const auto busy = NumberOf(document, context::kCpu, context::kSystemBusyPermille))
    verdict->evidence.push_back(evidence::SystemBusy{.permille = Positive(busy)});
}

void AddDebugger(const Document& document, Verdict* verdict) {
  std::string debugger = TextOf(document, context::kProcess, context::kDebugger);
  if (debugger.empty()) return;
  verdict->evidence.push_back(evidence::Debugged{std::move(debugger)});
  Limit(Confidence::kLow, ConfidenceReason::kDebugged, verdict);
}

void AddExit(const Document& document, Verdict* verdict) {
  std::string reason = TextOf(document, context::kExit, context::kExitReason);
  if (reason.empty()) return;
  const std::string after_ms = TextOf(document, context::kExit, context::kExitAfterMs);
  std::string description = TextOf(document, context::kExit, context::kExitDescription);
  // AnrDeclared has it. Long ones are shortened in the middle.
  const std::string_view begin = std::string_view(description).substr(0, description.find("…"));
  if (document.system_reason.starts_with(begin)) description.clear();
  verdict->evidence.push_back(
      evidence::ProcessExit{.reason = std::move(reason),
                            .description = std::move(description),
                            .after_ns = strtoull(after_ms.c_str(), nullptr, 10) * kNsPerMs});
}

void AddCollections(const Document& document, Verdict* verdict) {
  const auto collections = NumberOf(document, context::kGc, context::kBlockingCollections);
  if (collections)
    verdict->evidence.push_back(evidence::Collections{
        .collections = Positive(collections),
        .took_ns = Positive(NumberOf(document, context::kGc, context::kBlockingTimeNs))});
}

}  // namespace stillframe::judge
