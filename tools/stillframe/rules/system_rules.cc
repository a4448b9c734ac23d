// SPDX-License-Identifier: Apache-2.0
// The rules about what was done to the process: frozen, without memory, without a CPU.
#include <fmt/format.h>

#include <algorithm>

#include "src/model/context_names.h"
#include "tools/stillframe/calltree/figures.h"
#include "tools/stillframe/rules/contributor_text.h"
#include "tools/stillframe/rules/message_parts.h"
#include "tools/stillframe/rules/message_verdict.h"
#include "tools/stillframe/rules/rules.h"
#include "tools/stillframe/rules/wait_chain.h"
#include "tools/stillframe/text/clean_text.h"

namespace stillframe::rules {

using index::DumpIndex;
using index::Window;
using index::WindowShare;
using verdict::Confidence;
using verdict::Kind;
using verdict::Verdict;

namespace {

namespace context = model::context;
using calltree::Duration;
using calltree::Share;
using index::kNotableNs;
using model::Document;

constexpr int64_t kFullPressurePermille = 100;
constexpr int64_t kSomePressurePermille = 300;
constexpr int64_t kManyMajorFaults = 200;

std::optional<int64_t> NumberOf(const Document& document, std::string_view group,
                                std::string_view name) {
  for (const model::ContextEntry& entry : document.context)
    if (entry.state == model::ContextEntry::State::kNumber && entry.group == group &&
        entry.name == name)
      return entry.number;
  return std::nullopt;
}

std::string Nanoseconds(uint64_t ns) { return Duration(static_cast<int64_t>(ns)); }

std::string Percent(int64_t permille) {
  return fmt::format("{}.{} %", permille / 10, permille % 10);
}

uint64_t CpuNs(const Window& window) {
  uint64_t cpu_ns = 0;
  for (const WindowShare& share : window.slow)
    cpu_ns += static_cast<uint64_t>(std::max<int64_t>(share.message->cpu_ns, 0));
  return cpu_ns;
}

void AddTokens(const Window& window, Verdict* verdict) {
  for (const WindowShare& share : window.slow) verdict->tokens.push_back(share.message->token);
  verdict->tokens.resize(std::min<size_t>(verdict->tokens.size(), 5));
  if (!verdict->tokens.empty()) verdict->token = verdict->tokens[0];
}

void AddLongest(const DumpIndex& index, const Window& window, Verdict* verdict) {
  const WindowShare& longest = window.slow[0];
  verdict->evidence.push_back(fmt::format("The longest was {} (token {}), {}.",
                                          MessageAndMethod(index, *longest.message),
                                          longest.message->token, Nanoseconds(longest.inside_ns)));
}

// The reason why memory is short, or "": also where slow messages computed.
std::string MemoryPressure(const Case& the) {
  const Document& document = the.index.document();
  const Window& window = the.window;
  if (window.slow_ns < kNotableNs || CpuNs(window) * 10 > window.slow_ns * 6) return {};
  const auto full = NumberOf(document, context::kMemory, context::kPressureFullPermille);
  const auto some = NumberOf(document, context::kMemory, context::kPressureSomePermille);
  if (full.value_or(0) >= kFullPressurePermille || some.value_or(0) >= kSomePressurePermille) {
    return fmt::format(
        "in the last 10 s all tasks waited for memory for {} of the time, some for {}",
        Percent(full.value_or(0)), Percent(some.value_or(0)));
  }
  const auto available = NumberOf(document, context::kMemory, context::kAvailableBytes);
  const auto total = NumberOf(document, context::kMemory, context::kTotalBytes);
  const auto faults = NumberOf(document, context::kMemory, context::kMajorFaults);
  if (available && total && *total / 20 > *available && faults.value_or(0) >= kManyMajorFaults) {
    return fmt::format("{} MiB of {} MiB were available, and the process had {} major page faults",
                       *available >> 20, *total >> 20,
                       calltree::Grouped(static_cast<uint64_t>(*faults)));
  }
  return {};
}

// What the process used of the CPUs before the dump beyond what the threads of the table did: they
// have ended, or are not listed. Zero where the two are about different times.
uint64_t UsedByOthersMs(const Document& document, uint64_t interval_ms) {
  const auto busy = NumberOf(document, context::kCpu, context::kProcessBusyPermille);
  const auto window_ms = NumberOf(document, context::kCpu, context::kWindowMs);
  if (!busy || !window_ms || *busy < 0 || *window_ms <= 0) return 0;
  const auto whole_ms = static_cast<uint64_t>(*window_ms);
  if (whole_ms > interval_ms + interval_ms / 10 || interval_ms > whole_ms + whole_ms / 10) return 0;
  uint64_t listed_ms = 0;
  for (const model::ThreadRow& row : document.threads->rows)
    listed_ms += static_cast<uint64_t>(std::max<int64_t>(row.user_ms, 0)) +
                 static_cast<uint64_t>(std::max<int64_t>(row.system_ms, 0));
  const auto used_ms =
      static_cast<uint64_t>(static_cast<double>(*busy) / 1000 * static_cast<double>(whole_ms));
  return used_ms - std::min(used_ms, listed_ms);
}

// Counts of ticks say nothing about less.
constexpr uint64_t kLeastIntervalMs = 100;

// The threads that used the CPU meanwhile, the busiest first. Those that used half as much of it as
// was waited, `starved` of all the time, may be blamed.
bool AddRivals(const Document& document, double starved, Verdict* verdict) {
  if (!document.threads || document.threads->rows.empty()) {
    verdict->evidence.emplace_back("Who had the CPUs is not known: the dump has no threads.");
    return false;
  }
  const uint32_t main_tid = MainTid(document);
  const uint64_t interval_ms = index::IntervalMs(*document.threads);
  if (interval_ms < kLeastIntervalMs) {
    verdict->evidence.push_back(
        fmt::format("Who had the CPUs is not known: threads were looked at for {} ms only.",
                    calltree::Grouped(interval_ms)));
    return false;
  }
  uint64_t rivals_ms = 0;
  for (const model::ThreadRow& row : document.threads->rows) {
    const int64_t used_ms = std::max<int64_t>(row.user_ms, 0) + std::max<int64_t>(row.system_ms, 0);
    const bool is_busy = used_ms > 0 && static_cast<uint64_t>(used_ms) * 20 >= interval_ms;
    if (row.tid != main_tid) rivals_ms += static_cast<uint64_t>(used_ms);
    if (row.tid != main_tid && is_busy && verdict->threads.size() < 3) {
      verdict->threads.push_back(text::Truncated(row.name, 60));
      const int64_t kernel_ms = std::max<int64_t>(row.system_ms, 0);
      const std::string kernel =
          kernel_ms * 5 >= used_ms
              ? fmt::format(", {} of it in the kernel",
                            Share(static_cast<uint64_t>(kernel_ms), static_cast<uint64_t>(used_ms)))
              : "";
      verdict->evidence.push_back(fmt::format(
          "Thread {} (tid {}, nice {}) used {} ms of CPU time in {} ms{}.", verdict->threads.back(),
          row.tid, row.nice, calltree::Grouped(static_cast<uint64_t>(used_ms)),
          calltree::Grouped(interval_ms), kernel));
    }
  }
  const uint64_t others_ms = UsedByOthersMs(document, interval_ms);
  rivals_ms += others_ms;
  if (others_ms * 10 >= interval_ms) {
    verdict->evidence.push_back(fmt::format(
        "Threads of this process that have ended since used {} ms of CPU time in {} ms.",
        calltree::Grouped(others_ms), calltree::Grouped(interval_ms)));
  } else if (verdict->threads.empty()) {
    verdict->evidence.emplace_back(
        "No thread of this process was busy: other processes had the CPUs.");
  }
  const bool is_theirs =
      static_cast<double>(rivals_ms) * 2 >= starved * static_cast<double>(interval_ms);
  if (!is_theirs && !verdict->threads.empty())
    verdict->evidence.emplace_back("That is too little: other processes had the CPUs for longer.");
  return is_theirs;
}

// Pages that come late make a thread stand still, read or wait for a CPU; whoever keeps a lock or
// lets the main thread wait is told all the same.
bool IsOfMemory(verdict::Cause cause) {
  switch (cause) {
    case verdict::Cause::kWork:
    case verdict::Cause::kStill:
    case verdict::Cause::kInputOutput:
    case verdict::Cause::kNoCpu:
    case verdict::Cause::kRuntime:
    case verdict::Cause::kUnseen: return true;
    default: return false;
  }
}

}  // namespace

Verdict JudgeFrozen(const Case& the) {
  const uint64_t frozen_ns = the.lead.told.ns;
  uint64_t recorded_ns = 0;
  for (const TimeSpan& span : FrozenSpans(the.index.document()))
    recorded_ns += the.window.Inside(span.begin_ns, span.length_ns());
  const bool is_recorded = recorded_ns * 2 >= frozen_ns;
  Verdict verdict;
  verdict.kind = Kind::kProcessFrozen;
  verdict.confidence = is_recorded ? Confidence::kHigh : Confidence::kMedium;
  verdict.sentence = fmt::format(
      "The process was frozen: it did not run at all for {} of {} ({}), so its messages look long.",
      Nanoseconds(frozen_ns), Nanoseconds(the.window.length_ns()),
      Share(frozen_ns, the.window.length_ns()));
  verdict.evidence.push_back(
      is_recorded ? "The recorder saw that nobody ran: neither the main thread nor the profiler."
                  : "Nobody sampled the message meanwhile, and its CPU clock stood still.");
  AddTokens(the.window, &verdict);
  return verdict;
}

MaybeVerdict JudgeMemory(const Case& the) {
  const Window& window = the.window;
  const std::string pressure = MemoryPressure(the);
  if (pressure.empty() || !IsOfMemory(the.lead.told.cause)) return std::nullopt;
  Verdict verdict;
  verdict.kind = Kind::kShortOfMemory;
  verdict.confidence = Confidence::kMedium;
  verdict.sentence = fmt::format("The system was short of memory: {}.", pressure);
  verdict.evidence.push_back(
      fmt::format("The main thread's slow messages took {}, and only {} of it was computing.",
                  Nanoseconds(window.slow_ns), Share(CpuNs(window), window.slow_ns)));
  AddLongest(the.index, window, &verdict);
  AddTokens(window, &verdict);
  return verdict;
}

void TellMemory(const Case& the, Verdict* verdict) {
  const std::string pressure = MemoryPressure(the);
  if (!pressure.empty() && verdict->kind != Kind::kShortOfMemory)
    verdict->evidence.push_back(fmt::format("The system was short of memory, too: {}.", pressure));
}

Verdict JudgeStarved(const Case& the) {
  const DumpIndex& index = the.index;
  const Window& window = the.window;
  const uint64_t starved_ns = the.lead.told.ns;
  bool is_exact = true;
  for (const WindowShare& share : window.slow) {
    bool is_exact_here = false;
    const uint64_t ns = index::StarvedNs(index, *share.message, &is_exact_here);
    is_exact = is_exact && (is_exact_here || ns == 0);
  }
  Verdict verdict;
  verdict.kind = Kind::kStarved;
  verdict.confidence = is_exact ? Confidence::kHigh : Confidence::kMedium;
  verdict.sentence = fmt::format(
      "The main thread was starved of CPU: it was ready to run but got none for {} of the {} of "
      "its slow messages ({}).",
      Nanoseconds(starved_ns), Nanoseconds(window.slow_ns), Share(starved_ns, window.slow_ns));
  const double starved =
      static_cast<double>(starved_ns) / static_cast<double>(std::max<uint64_t>(window.slow_ns, 1));
  const bool is_theirs = AddRivals(index.document(), starved, &verdict);
  AddLongest(index, window, &verdict);
  if (is_theirs && !verdict.threads.empty()) {
    verdict.sentence.pop_back();
    verdict.sentence += fmt::format(", while thread {} had it.", verdict.threads[0]);
  }
  const auto busy = NumberOf(index.document(), context::kCpu, context::kSystemBusyPermille);
  if (busy)
    verdict.evidence.push_back(fmt::format("All CPUs together were busy for {}.", Percent(*busy)));
  AddTokens(window, &verdict);
  return verdict;
}

Verdict JudgeRuntime(const Case& the) {
  const Document& document = the.index.document();
  Verdict verdict;
  verdict.kind = Kind::kRuntimeWait;
  const std::string_view state = CollectorText(the.lead);
  verdict.confidence = state.empty() ? Confidence::kMedium : Confidence::kHigh;
  const auto collections = NumberOf(document, context::kGc, context::kBlockingCollections);
  const std::string where = Where(the.index, the.lead);
  verdict.sentence = fmt::format(
      "{} for {} of {} ({}){}.",
      state.empty() ? "The runtime itself made the main thread wait, most likely for its garbage "
                      "collector,"
                    : fmt::format("The main thread was {}", state),
      Nanoseconds(the.lead.told.ns), Nanoseconds(the.window.length_ns()),
      Share(the.lead.told.ns, the.window.length_ns()), where.empty() ? "" : ", mostly in " + where);
  if (collections) {
    const auto time_ns = NumberOf(document, context::kGc, context::kBlockingTimeNs);
    verdict.evidence.push_back(
        fmt::format("Since its start the process had {} blocking collections{}.",
                    calltree::Grouped(static_cast<uint64_t>(std::max<int64_t>(*collections, 0))),
                    time_ns ? fmt::format(", which took {}", Duration(*time_ns)) : ""));
  }
  AddLongest(the.index, the.window, &verdict);
  AddTokens(the.window, &verdict);
  return verdict;
}

}  // namespace stillframe::rules
