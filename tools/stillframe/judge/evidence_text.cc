// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/judge/evidence_text.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/judge/filled_text.h"
#include "tools/stillframe/judge/wording.h"

namespace stillframe::judge {
namespace {

using fmt::format;
using index::Grouped;
using index::Seconds;
using index::Share;
using model::ThreadState;

// "a lock on app.Store of thread db (tid 12), which waits for ..."
std::string ChainText(const WaitChain& chain) {
  std::string text;
  for (size_t i = 0; i < chain.threads.size(); ++i) {
    const size_t next = i + 1 < chain.threads.size() ? i + 1 : chain.loop;
    if (next == WaitChain::kNone) break;
    text += format("{}{} of {}", i == 0 ? "" : ", which waits for ", WaitsFor(chain.threads[i]),
                   next == 0 ? "the main thread"
                             : ThreadText({chain.threads[next].thread, chain.threads[next].tid}));
  }
  return text;
}

// Remarks that depend on an observation's figures.
std::string RemarkOn(const Verdict& verdict, const Evidence& fact) {
  using Is = Evidence::Kind;
  switch (fact.kind) {
    case Is::kCpu:
      return fact.ns * 4 >= fact.of_ns * 3          ? "it was computing"
             : fact.ns * 4 > fact.of_ns             ? "it computed for part of it only"
             : fact.state == ThreadState::kBlocked  ? "it was blocked"
             : fact.state == ThreadState::kRunnable ? "it got no CPU for most of it"
                                                    : "it was waiting or got no CPU for most of it";
    case Is::kRecordedCalls:
      return format("{} of {}", index::DurationUs(fact.ns / 1000),
                    index::DurationUs(fact.of_ns / 1000));
    case Is::kSystemBusy:
      return fact.name.empty() ? "" : "; the busiest other process was " + fact.name;
    case Is::kHolderAt: return fact.of_count == 0 ? "entered" : "holds, most likely,";
    case Is::kRunning:
      return fact.ns * 10 < fact.of_ns ? "its stack is not the cause"
                                       : "its stack is only part of the cause";
    case Is::kLate:
      return fact.ns <= fact.of_count ? ""
                                      : format(" (of {}{} in the queue)",
                                               fact.of_ns > 0 ? "at least " : "", Grouped(fact.ns));
    case Is::kLittleMemory: return format("{} of {} MiB", fact.ns >> 20U, fact.of_ns >> 20U);
    case Is::kFullHeap: return format("{} of {} MiB were used", fact.ns >> 20U, fact.of_ns >> 20U);
    case Is::kOwnShare:
      return fact.of_count >= 200 && fact.of_count * 5 >= fact.count * 2
                 ? ": many system calls, mostly for files or the network"
                 : "";
    case Is::kLoad: {
      const auto load = [](uint64_t milli) {
        return format("{:.1f}", static_cast<double>(milli) / 1000);
      };
      return format("{} in the last minute and {} in 15 minutes{}{}", load(fact.count),
                    load(fact.ns), fact.count * 2 > fact.ns * 3 ? ", so it rose" : "",
                    fact.of_count == 0 ? "; how many CPUs there are is not known"
                                       : format("; there are about {} CPUs", fact.of_count));
    }
    case Is::kRivalsUnknown:
      return fact.ns == 0 ? "the dump lists none"
                          : format("they were watched for {} only", Seconds(fact.ns));
    case Is::kRival:
      return fact.of_count == 0 ? "" : format(", {}% of it in the kernel", fact.of_count);
    case Is::kOtherProcesses:
      return fact.count == 0 ? "No thread of this app was busy: other processes used the CPUs"
                             : "That is too little: other processes used the CPUs for longer";
    case Is::kCollections: return fact.ns == 0 ? "" : format(", which took {}", Seconds(fact.ns));
    case Is::kWaitedFor: return WaitsFor(verdict.chain.threads[0]);
    case Is::kLaterWait: return ChainText(verdict.chain);
    case Is::kSamplerOff:
      return verdict.trouble == fact.name ? Capital(fact.name)
                                          : "The sampler was off: " + fact.name;
    case Is::kState: return std::string(index::TextOf(fact.state));
    case Is::kAnr: {
      const Anr& anr = *verdict.anr;
      const std::string type = format("{}{}", index::NameOf(anr.kind),
                                      anr.limit.empty() ? "" : format(" (limit {})", anr.limit));
      return anr.source == AnrSource::kWaitingMessage
                 ? format("{}, guessed from the queue ({}); the system gave no reason", type,
                          anr.reason)
                 : format("{}{}: \"{}\"", type, anr.component.empty() ? "" : " of " + anr.component,
                          anr.reason);
    }
    default: return "";
  }
}

// By Evidence::Kind.
constexpr std::string_view kEvidenceTexts[] = {
    "Hottest line: {name}, {ns} of the method's {of}.",
    "It was mostly inside {at}.",
    "Called from {at}.",
    "In a recursion of {name}, which {other} began.",
    "Meanwhile the main thread was mostly {remark}.",
    "{name} took {both}.",
    "Compiled code: {both} may belong to methods inlined into the ones named.",
    "The message used {ns} of CPU time in {of} ({part}): {remark}.",
    "It was runnable but got no CPU for {both}.",
    "It had waited {ns} before it began.",
    "Most of its time has no samples.",
    "{count} samples were not kept: trees are kept for the latest long messages.",
    "{remark}.",
    "In the kernel it waited in {name} for {ns}.",
    "{Thread} held the lock on {other} for {ns}.",
    "{Thread} {remark} the lock in {other}.",
    "At the dump {thread} was in {other}.",
    "{Thread} may end the wait: it was in {other}.",
    "It waited for {remark}; which thread can end that is not known.",
    "At the dump it waited for something else: {remark}.",
    "{name} has been waiting for {ns}.",
    "{name} took {both} (message {count}).",
    "The running message took {both}: {remark}.",
    "{count} of {of_count} late messages{remark} are {name}.",
    "Short messages used {ns} of CPU time in {of} ({part}): the rest they waited or got no CPU.",
    "Short messages took {ns}, slow ones {of}.",
    "The main thread had nothing to do for {both}.",
    "At the dump no message ran, and the main thread was in {name}.",
    "At the dump the main thread was in native code: {name}.",
    "The recorder saw that neither the main thread nor the profiler ran.",
    "No sample was taken meanwhile, and the CPU clock did not move.",
    "Short of memory: all tasks waited for it for {permille}% of 10 s, some for {of_permille}%.",
    "Short of memory: {remark} were available, and the process had {count} major page faults.",
    "Which threads used the CPUs is not known: {remark}.",
    "{Thread} used {ns} of CPU time in {of}{remark}.",
    "Threads that have ended used {ns} of CPU time in {of}.",
    "{remark}.",
    "The kernel's kswapd0 used {permille}% of a CPU: memory was short.",
    "The CPUs waited for disks for {permille}% of the time.",
    "Since it began, the main thread ran for {of} and waited {ns} for a CPU.",
    "The recorded calls took {remark}.",
    "At the dump the main thread ran {at}.",
    "All CPUs together were busy for {permille}%{remark}.",
    "Since its start the process had {count} blocking collections{remark}.",
    "The table of names was full: {both} went through methods without names.",
    "Callers are missing for {both}: {name}.",
    "ANR type: {remark}.",
    "Storage was slow: all tasks waited for it for {permille}% of 10 s, some for {of_permille}%.",
    "CPU pressure: some tasks waited for a CPU for {permille}% of 10 s.",
    "The process had {count} major page faults: it waited for pages from storage.",
    "At the dump main was in the kernel's state D: it waited for a page or for storage.",
    "The Java heap was nearly full: {remark}.",
    "The process used {permille}% of a CPU, {of_permille}% of it in the kernel{remark}.",
    "The busiest other process was {name}.",
    "Meanwhile {thread} ran {other}.",
    "Not sampled for {both}: {name}.",
    "The load was {remark}.",
};
static_assert(std::size(kEvidenceTexts) == static_cast<size_t>(Evidence::Kind::kLoad) + 1);

}  // namespace

std::string EvidenceText(const Verdict& verdict, const Evidence& fact) {
  const std::string part = Share(fact.ns, fact.of_ns);
  const std::string thread = ThreadText({fact.name, static_cast<uint32_t>(fact.count)});
  const auto permille = [](uint64_t value) {
    return format("{:.1f}", static_cast<double>(value) / 10);
  };
  const Args args = {{"other", fact.other},
                     {"at", At(fact.name, fact.other)},
                     {"ns", Seconds(fact.ns)},
                     {"of", Seconds(fact.of_ns)},
                     {"part", part},
                     {"both", format("{} of {} ({})", Seconds(fact.ns), Seconds(fact.of_ns), part)},
                     {"count", Grouped(fact.count)},
                     {"of_count", Grouped(fact.of_count)},
                     {"permille", permille(fact.count)},
                     {"of_permille", permille(fact.of_count)},
                     {"thread", thread},
                     {"Thread", Capital(thread)},
                     {"remark", RemarkOn(verdict, fact)}};
  return Filled(kEvidenceTexts[static_cast<size_t>(fact.kind)], fact.name, false, args);
}

}  // namespace stillframe::judge
