// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/words/evidence_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/stillframe/index/exit_reason.h"
#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/judge/culprit.h"
#include "tools/stillframe/words/contributor_text.h"
#include "tools/stillframe/words/filled_text.h"
#include "tools/stillframe/words/known_texts.h"

namespace stillframe::words {
namespace {

namespace evidence = judge::evidence;
using fmt::format;
using index::Grouped;
using index::Seconds;
using judge::PartOfMemory;
using judge::PartOfTime;
using judge::WaitChain;
using model::ThreadState;

std::string ShareOf(const PartOfTime& time) { return index::Share(time.ns, time.of_ns); }

// "2.0 s of 3.0 s (67%)"
std::string Both(const PartOfTime& time) {
  return format("{} of {} ({})", Seconds(time.ns), Seconds(time.of_ns), ShareOf(time));
}

std::string MiB(const PartOfMemory& memory) {
  return format("{} of {} MiB", memory.bytes >> 20U, memory.of_bytes >> 20U);
}

std::string Tenths(uint64_t permille) {
  return format("{:.1f}", static_cast<double>(permille) / 10);
}

std::string PressureText(const judge::Pressure& pressure) {
  return format("all tasks waited for it for {}% of 10 s, some for {}%",
                Tenths(pressure.full_permille), Tenths(pressure.some_permille));
}

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

// The sentence of each kind.
struct SentenceOf {
  std::string operator()(const evidence::HottestLine& fact) const {
    return format("Hottest line: {}, {} of the method's {}.", fact.line, Seconds(fact.time.ns),
                  Seconds(fact.time.of_ns));
  }
  std::string operator()(const evidence::Inside& fact) const {
    return format("It was mostly inside {}.", judge::MethodAt(fact.method, fact.place));
  }
  std::string operator()(const evidence::Caller& fact) const {
    return format("Called from {}.", judge::MethodAt(fact.method, fact.place));
  }
  std::string operator()(const evidence::Recursion& fact) const {
    return format("In a recursion of {}, which {} began.", fact.method, fact.begun_by);
  }
  std::string operator()(const evidence::State& fact) const {
    return format("Meanwhile the main thread was mostly {}.", index::TextOf(fact.state));
  }
  std::string operator()(const evidence::Shared& fact) const {
    return format("{} took {}.", fact.method, Both(fact.time));
  }
  std::string operator()(const evidence::Inlining& fact) const {
    return format("Compiled code: {} may belong to methods inlined into the ones named.",
                  Both(fact.time));
  }
  std::string operator()(const evidence::Cpu& fact) const {
    const PartOfTime& time = fact.time;
    const char* const rest = time.ns * 4 >= time.of_ns * 3 ? "it was computing"
                             : time.ns * 4 > time.of_ns    ? "it computed for part of it only"
                             : fact.state == ThreadState::kBlocked ? "it was blocked"
                             : fact.state == ThreadState::kRunnable
                                 ? "it got no CPU for most of it"
                                 : "it was waiting or got no CPU for most of it";
    return format("The message used {} of CPU time in {} ({}): {}.", Seconds(time.ns),
                  Seconds(time.of_ns), ShareOf(time), rest);
  }
  std::string operator()(const evidence::NoCpu& fact) const {
    return format("It was runnable but got no CPU for {}.", Both(fact.time));
  }
  std::string operator()(const evidence::DueBefore& fact) const {
    return format("It had waited {} before it began.", Seconds(fact.late_ns));
  }
  std::string operator()(const evidence::NoSample& /*fact*/) const {
    return "Most of its time has no samples.";
  }
  std::string operator()(const evidence::TreeNotKept& fact) const {
    return format("{} samples were not kept: trees are kept for the latest long messages.",
                  Grouped(fact.samples));
  }
  std::string operator()(const evidence::SamplerOff& fact) const {
    return verdict.trouble == fact.reason ? Capital(fact.reason) + "."
                                          : format("The sampler was off: {}.", fact.reason);
  }
  std::string operator()(const evidence::KernelCall& fact) const {
    return format("In the kernel it waited in {} for {}.", fact.call, Seconds(fact.idle_ns));
  }
  std::string operator()(const evidence::Holder& fact) const {
    return format("{} held the lock on {} for {}.", Capital(ThreadText(fact.thread)),
                  fact.lock_class, Seconds(fact.held_ns));
  }
  std::string operator()(const evidence::HolderAt& fact) const {
    return format("{} {} the lock in {}.", Capital(ThreadText(fact.thread)),
                  fact.is_guess ? "holds, most likely," : "entered", fact.frame);
  }
  std::string operator()(const evidence::ChainAt& fact) const {
    return format("At the dump {} was in {}.", ThreadText(fact.thread), fact.frame);
  }
  std::string operator()(const evidence::Candidate& fact) const {
    return format("{} may end the wait: it was in {}.", Capital(ThreadText(fact.thread)),
                  fact.frame);
  }
  std::string operator()(const evidence::WaitedFor& /*fact*/) const {
    return format("It waited for {}; which thread can end that is not known.",
                  WaitsFor(verdict.chain.threads[0]));
  }
  std::string operator()(const evidence::LaterWait& /*fact*/) const {
    return format("At the dump it waited for something else: {}.", ChainText(verdict.chain));
  }
  std::string operator()(const evidence::Waiting& fact) const {
    return format("{} has been waiting for {}.", fact.message, Seconds(fact.late_ns));
  }
  std::string operator()(const evidence::SlowMessage& fact) const {
    return format("{} took {} (message {}).", fact.message, Both(fact.time),
                  Grouped(NumberOf(fact.token)));
  }
  std::string operator()(const evidence::Running& fact) const {
    return format("The running message took {}: {}.", Both(fact.time),
                  fact.time.ns * 10 < fact.time.of_ns ? "its stack is not the cause"
                                                      : "its stack is only part of the cause");
  }
  std::string operator()(const evidence::Late& fact) const {
    const std::string queue = fact.queued <= fact.all_messages
                                  ? ""
                                  : format(" (of {}{} in the queue)",
                                           fact.has_more ? "at least " : "", Grouped(fact.queued));
    return format("{} of {} late messages{} are {}.", Grouped(fact.messages),
                  Grouped(fact.all_messages), queue, fact.message);
  }
  std::string operator()(const evidence::QuickCpu& fact) const {
    return format(
        "Short messages used {} of CPU time in {} ({}): the rest they waited or got no CPU.",
        Seconds(fact.time.ns), Seconds(fact.time.of_ns), ShareOf(fact.time));
  }
  std::string operator()(const evidence::QuickAndSlow& fact) const {
    return format("Short messages took {}, slow ones {}.", Seconds(fact.quick_ns),
                  Seconds(fact.slow_ns));
  }
  std::string operator()(const evidence::Idle& fact) const {
    return format("The main thread had nothing to do for {}.", Both(fact.time));
  }
  std::string operator()(const evidence::MainAt& fact) const {
    return format("At the dump no message ran, and the main thread was in {}.", PlaceText(fact));
  }
  std::string operator()(const evidence::NativeAt& fact) const {
    return format("At the dump the main thread was in native code: {}.", fact.where);
  }
  std::string operator()(const evidence::NothingRan& /*fact*/) const {
    return "The recorder saw that neither the main thread nor the profiler ran.";
  }
  std::string operator()(const evidence::ClockStood& /*fact*/) const {
    return "No sample was taken meanwhile, and the CPU clock did not move.";
  }
  std::string operator()(const evidence::MemoryPressure& fact) const {
    return format("Short of memory: {}.", PressureText(fact.pressure));
  }
  std::string operator()(const evidence::LittleMemory& fact) const {
    return format("Short of memory: {} were available, and the process had {} major page faults.",
                  MiB(fact.available), Grouped(fact.major_faults));
  }
  std::string operator()(const evidence::RivalsUnknown& fact) const {
    return format("Which threads used the CPUs is not known: {}.",
                  fact.watched_ns == 0
                      ? "the dump lists none"
                      : format("they were watched for {} only", Seconds(fact.watched_ns)));
  }
  std::string operator()(const evidence::Rival& fact) const {
    return format(
        "{} used {} of CPU time in {}{}.", Capital(ThreadText(fact.thread)), Seconds(fact.time.ns),
        Seconds(fact.time.of_ns),
        fact.kernel_percent == 0 ? "" : format(", {}% of it in the kernel", fact.kernel_percent));
  }
  std::string operator()(const evidence::EndedRivals& fact) const {
    return format("Threads that have ended used {} of CPU time in {}.", Seconds(fact.time.ns),
                  Seconds(fact.time.of_ns));
  }
  std::string operator()(const evidence::OtherProcesses& fact) const {
    return fact.named_threads == 0
               ? "No thread of this app was busy: other processes used the CPUs."
               : "That is too little: other processes used the CPUs for longer.";
  }
  std::string operator()(const evidence::Swapper& fact) const {
    return format("The kernel's kswapd0 used {}% of a CPU: memory was short.",
                  Tenths(fact.permille));
  }
  std::string operator()(const evidence::DiskWait& fact) const {
    return format("The CPUs waited for disks for {}% of the time.", Tenths(fact.permille));
  }
  std::string operator()(const evidence::WaitedForCpu& fact) const {
    return format("Since it began, the main thread ran for {} and waited {} for a CPU.",
                  Seconds(fact.ran_ns), Seconds(fact.waited_ns));
  }
  std::string operator()(const evidence::RecordedCalls& fact) const {
    return format("The recorded calls took {} of {}.", index::DurationUs(fact.time.ns / 1000),
                  index::DurationUs(fact.time.of_ns / 1000));
  }
  std::string operator()(const evidence::MainRan& fact) const {
    return format("At the dump the main thread ran {}.", judge::MethodAt(fact.method, fact.place));
  }
  std::string operator()(const evidence::SystemBusy& fact) const {
    return format("All CPUs together were busy for {}%{}.", Tenths(fact.permille),
                  fact.process.empty() ? "" : "; the busiest other process was " + fact.process);
  }
  std::string operator()(const evidence::Collections& fact) const {
    return format("Since its start the process had {} blocking collections{}.",
                  Grouped(fact.collections),
                  fact.took_ns == 0 ? "" : format(", which took {}", Seconds(fact.took_ns)));
  }
  std::string operator()(const evidence::Nameless& fact) const {
    return format("The table of names was full: {} went through methods without names.",
                  Both(fact.time));
  }
  std::string operator()(const evidence::Cut& fact) const {
    return format("Callers are missing for {}: {}.", Both(fact.time), fact.reason);
  }
  std::string operator()(const evidence::AnrDeclared& /*fact*/) const {
    const judge::Anr& anr = *verdict.anr;
    const std::string limit = TextOf(anr.limit);
    const std::string type =
        format("{}{}", index::NameOf(anr.kind), limit.empty() ? "" : format(" (limit {})", limit));
    return anr.source == judge::AnrSource::kWaitingMessage
               ? format("ANR type: {}, guessed from the queue ({}); the system gave no reason.",
                        type, anr.reason)
               : format("ANR type: {}{}: \"{}\".", type,
                        anr.component.empty() ? "" : " of " + anr.component, anr.reason);
  }
  std::string operator()(const evidence::StoragePressure& fact) const {
    return format("Storage was slow: {}.", PressureText(fact.pressure));
  }
  std::string operator()(const evidence::CpuPressure& fact) const {
    return format("CPU pressure: some tasks waited for a CPU for {}% of 10 s.",
                  Tenths(fact.permille));
  }
  std::string operator()(const evidence::PageFaults& fact) const {
    const std::string count =
        fact.major_faults == 0
            ? "no major one is known: perhaps it waited for the lock of its mappings"
            : format("the process had {} major ones", Grouped(fact.major_faults));
    return format("Main was in page faults for {}; {}.{}", Both(fact.time), count,
                  fact.pressure.some_permille == 0
                      ? ""
                      : format(" Memory pressure: {}.", PressureText(fact.pressure)));
  }
  std::string operator()(const evidence::MajorFaults& fact) const {
    return format("The process had {} major page faults: it waited for pages from storage.",
                  Grouped(fact.major_faults));
  }
  std::string operator()(const evidence::StuckInKernel& /*fact*/) const {
    return "At the dump main was in the kernel's state D: it waited for a page or for storage.";
  }
  std::string operator()(const evidence::FullHeap& fact) const {
    return format("The Java heap was nearly full: {} were used.", MiB(fact.used));
  }
  std::string operator()(const evidence::OwnShare& fact) const {
    const bool is_kernel =
        fact.kernel_permille >= 200 && fact.kernel_permille * 5 >= fact.permille * 2;
    return format("The process used {}% of a CPU, {}% of it in the kernel{}.",
                  Tenths(fact.permille), Tenths(fact.kernel_permille),
                  is_kernel ? ": many system calls, mostly for files or the network" : "");
  }
  std::string operator()(const evidence::BusiestOther& fact) const {
    return format("The busiest other process was {}.", fact.process);
  }
  std::string operator()(const evidence::HolderRan& fact) const {
    return format("Meanwhile {} ran {}.", ThreadText(fact.thread), fact.ran);
  }
  std::string operator()(const evidence::Spent& fact) const {
    return format("Meanwhile {} spent {} in {}.", ThreadText(fact.thread), SpentText(fact),
                  fact.frame);
  }
  std::string operator()(const evidence::OtherLooper& fact) const {
    const bool are_four_sampled =
        std::ranges::count_if(verdict.evidence, [](const judge::Evidence& each) {
          const auto* other = std::get_if<evidence::OtherLooper>(&each);
          return other != nullptr && other->is_sampled;
        }) >= 4;
    return format("{} ran {} for {}{}.", Capital(ThreadText(fact.thread)), fact.message_text,
                  Seconds(fact.took_ns),
                  !fact.is_sampled
                      ? are_four_sampled
                            ? "; it was not sampled (at most four other Loopers are at a time)"
                            : "; it was not sampled"
                  : fact.frame.empty() ? ""
                                       : ", most of it in " + fact.frame);
  }
  std::string operator()(const evidence::Debugged& fact) const {
    return format("A debugger was attached: {}. It may have stopped the threads.", fact.process);
  }
  std::string operator()(const evidence::ProcessExit& fact) const {
    const auto known =
        std::ranges::find(index::kExitReasons, fact.reason, &index::ExitReason::name);
    const bool is_killed = known == index::kExitReasons.end() || known->is_by_system;
    return format("{}{}: {}{}.", is_killed ? "The system killed the process" : "The process ended",
                  fact.after_ns == 0 ? "" : " " + Seconds(fact.after_ns) + " later", fact.reason,
                  fact.description.empty() ? "" : ", " + fact.description);
  }
  std::string operator()(const evidence::NotSeen& fact) const {
    return format("Meanwhile {} was not to be seen: {}.", ThreadText(fact.thread), fact.why);
  }
  std::string operator()(const evidence::Unsampled& fact) const {
    return format("Not sampled for {}: {}.", Both(fact.time), fact.reason);
  }
  std::string operator()(const evidence::Load& fact) const {
    const auto load = [](uint64_t milli) {
      return format("{:.1f}", static_cast<double>(milli) / 1000);
    };
    return format("The load was {} in the last minute and {} in 15 minutes{}{}.",
                  load(fact.load_1min_milli), load(fact.load_15min_milli),
                  fact.load_1min_milli * 2 > fact.load_15min_milli * 3 ? ", so it rose" : "",
                  fact.cpus == 0 ? "; how many CPUs there are is not known"
                                 : format("; there are about {} CPUs", fact.cpus));
  }

  const judge::Verdict& verdict;
};

}  // namespace

std::string EvidenceText(const judge::Verdict& verdict, const judge::Evidence& fact) {
  return std::visit(SentenceOf{verdict}, fact);
}

}  // namespace stillframe::words
