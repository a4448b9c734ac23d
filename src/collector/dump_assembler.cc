// SPDX-License-Identifier: Apache-2.0
#include "src/collector/dump_assembler.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "arch/arch.h"
#include "src/anr/trigger_policy.h"
#include "src/core/clock.h"
#include "src/core/counters.h"
#include "src/core/guarded_memory.h"
#include "src/dump/redaction.h"
#include "src/model/context_names.h"
#include "src/os/duration.h"
#include "src/os/file_text.h"
#include "src/os/log.h"
#include "src/os/proc.h"
#include "src/sigquit/catcher_watch.h"

namespace stillframe::collector {
namespace {

// Time limits for the runtime's answers. While the Signal Catcher prints its traces, all threads
// are suspended, so a longer wait delays nothing.
constexpr uint32_t kJavaTimeoutMs = 50;
constexpr uint32_t kSuspendedTimeoutMs = 1'000;
constexpr size_t kMaxPending = 256;
constexpr const char* kDumpPrefix = "stillframe-";
constexpr const char* kDumpSuffix = ".sfdump";

// The sign that a SIGQUIT is an ANR, as far as this process can tell.
std::string ConfirmAnr(const jvm::PendingMessages& pending,
                       const std::optional<model::Message>& running) {
  anr::AnrSigns signs;
  // A long queue that could not be put in order in time has no known head.
  signs.has_queue = !pending.source.empty() && !(pending.messages.empty() && pending.is_truncated);
  signs.head_late_ms = anr::HeadLateMs(pending.messages);
  if (running) signs.running_ms = running->wall_ns / static_cast<int64_t>(os::kNsPerMs);
  constexpr size_t kDigits = 16;
  os::ReadFileText("/proc/self/oom_score_adj", kDigits, &signs.oom_score_adj);
  return anr::ConfirmAnr(signs);
}

// An earlier process may have had the same pid: its dumps are not replaced.
std::string FreePath(const std::string& folder, uint32_t number, model::Trigger trigger) {
  std::string path;
  do {
    path.assign(folder).append("/").append(kDumpPrefix).append(std::to_string(getpid()));
    path.append("-").append(std::to_string(number++)).append("-");
    path.append(kTableOf<model::Trigger>.Of(trigger).name).append(kDumpSuffix);
  } while (access(path.c_str(), F_OK) == 0);
  return path;
}

std::vector<model::NamedCount> ReadCounters() {
  std::vector<model::NamedCount> counters;
  for (size_t i = 0; i < static_cast<size_t>(Counter::kCount); ++i) {
    const auto counter = static_cast<Counter>(i);
    if (core::Counters::IsShown(counter))
      counters.push_back({core::Counters::NameOf(counter), core::Counters::Read(counter)});
  }
  return counters;
}

}  // namespace

void DumpAssembler::Start(const Parts& parts) {
  parts_ = parts;
  survey_.Start(parts.survey);
  if (!parts_.config->dump_dir.empty()) os::RemoveUnfinished(parts_.config->dump_dir, kDumpPrefix);
  RememberFacts(core::MonotonicNs());
}

void DumpAssembler::RememberFacts(uint64_t now_ns) {
  if (!parts_.config->dump_dir.empty()) parts_.process_facts->Remember(now_ns);
}

model::Identity DumpAssembler::DescribeProcess() const {
  model::Identity identity;
  identity.process_name = os::ProcessName();
  identity.pid = static_cast<uint32_t>(getpid());
  identity.uid = getuid();
  identity.abi = arch::kAbi;
  identity.art_release = parts_.state->IsOn() ? parts_.runtime->layout->release : "";
  identity.art_build_id = *parts_.build_id;
  identity.profiler_version = STILLFRAME_VERSION;
  identity.sampler_state =
      parts_.state->TextForDump(!parts_.sampler->enabled(), parts_.main_watch->trouble());
  identity.tap = tap::TapName(parts_.taps->kind());
  identity.process_start_ns = parts_.loaded_ns;
  return identity;
}

void DumpAssembler::DescribePast(uint64_t now_ns, model::Dump* dump) const {
  parts_.pipelines->Describe(now_ns, dump);
  for (model::Message& message : dump->history)
    if (parts_.trees->HasKept(message.token)) message.flags |= model::kMessageHasTree;
}

bool DumpAssembler::DescribeRunning(uint64_t now_ns, model::Message* message) const {
  const core::WatchedThread& thread = *parts_.main_thread;
  const sampling::SlowMessageWatch& watch = *parts_.main_watch;
  const core::RunningMessage running = watch.Running();
  if (running.token == Token::kNone) return false;
  message->segment = watch.OpenSegment(running);
  message->token = running.token;
  message->start_ns = running.start_ns;
  message->wall_ns = static_cast<int64_t>(running.AgeNs(now_ns));
  const uint64_t cpu_ns = core::CpuClockNs(core::ThreadCpuClock(thread.tid));
  message->cpu_ns =
      static_cast<int64_t>(cpu_ns > running.start_cpu_ns ? cpu_ns - running.start_cpu_ns : 0);
  message->flags = model::kMessageIdentityUnknown;
  if (!message->segment && thread.message.is_nested()) message->flags |= model::kMessageNested;
  const sampling::TreeBuilder& trees = *parts_.trees;
  if (trees.token() == running.token && !trees.running().empty()) {
    message->samples = static_cast<uint32_t>(trees.running().samples_added());
    message->flags |= model::kMessageHasTree;
    message->blocked_ns = trees.BlockedNs();
    const history::LockHolder longest = trees.LongestHolder();
    message->lock_owner_tid = static_cast<uint32_t>(longest.tid);
    message->lock_owner = longest.name;
    const auto stretches = trees.LockWaits();
    message->lock_waits.assign(stretches.begin(), stretches.end());
    message->stage = trees.Stage();
  }
  message->runqueue_wait_ns = watch.RunQueueWaitNs(running, now_ns);
  return true;
}

model::ThreadStacks DumpAssembler::Stacks() {
  const settings::Omissions& omit = parts_.config->omit;
  if (omit.Has(settings::Part::kStacks) || omit.Has(settings::Part::kThreads)) return {};
  model::ThreadStacks none;
  if (!parts_.stacks_absent->empty())
    none.absent = *parts_.stacks_absent;
  else if (!parts_.state->IsOn())
    none.absent = parts_.state->text();
  else if (!core::KeepFaultRecovery().is_in_place)
    none.absent = "another component took SIGSEGV or SIGBUS: bad reads could not be recovered from";
  else
    return survey_.Take();
  return none;
}

void DumpAssembler::DescribeRuntime(uint64_t now_ns, model::Dump* dump) {
  jvm::JavaQuestions::Answers java = parts_.questions->ReadForDump(
      kMaxPending,
      dump->trigger == model::Trigger::kSigquit ? kSuspendedTimeoutMs : kJavaTimeoutMs);
  if (dump->trigger == model::Trigger::kSigquit)
    dump->trigger_confirmed = ConfirmAnr(java.pending, dump->running);
  dump->pending_source = std::move(java.pending.source);
  dump->pending_absent = std::move(java.pending.absent);
  dump->pending = std::move(java.pending.messages);
  dump->pending_total = java.pending.total;
  dump->pending_is_truncated = java.pending.is_truncated;
  dump->context = std::move(java.facts);
  parts_.process_facts->Describe(now_ns, &dump->context);
  dump->threads = parts_.process_facts->Threads(now_ns);
  dump->annotations = parts_.annotations->Read();
  for (model::ContextEntry& entry :
       parts_.identity->Describe(dump->annotations, parts_.config->omit.bits()))
    dump->context.push_back(std::move(entry));
}

void DumpAssembler::DescribeStack(std::string stack, model::Dump* dump) {
  model::ContextEntry entry;
  entry.group = model::context::kProcess;
  entry.name = model::context::kMainThreadStack;
  if (!stack.empty()) entry.state = model::ContextEntry::State::kText;
  entry.text =
      stack.empty() ? "the sampler is off, or the main thread has no Looper yet" : std::move(stack);
  dump->context.push_back(std::move(entry));
}

void DumpAssembler::DescribeCohort(model::Dump* dump) const {
  const auto add = [dump](std::string_view name, std::string text) {
    model::ContextEntry entry;
    entry.group = model::context::kCohort;
    entry.name = name;
    entry.state = model::ContextEntry::State::kText;
    entry.text = std::move(text);
    dump->context.push_back(std::move(entry));
  };
  add(model::context::kGroup, parts_.state->group());
  if (!parts_.config->cohort.empty()) add(model::context::kSalt, parts_.config->cohort);
}

DumpAssembler::Written DumpAssembler::Write(const Reason& reason) {
  Written written;
  const uint64_t begin_ns = core::MonotonicNs();
  const std::string& folder = parts_.config->dump_dir;
  if (folder.empty()) {
    os::Log("no dump is written: set STILLFRAME_DUMP_DIR to a writable folder");
    written.result.status = dump::Status::kCannotCreate;
    return written;
  }
  parts_.pipelines->TakeForDump(begin_ns);
  model::Dump dump;
  dump.trigger = reason.trigger;
  dump.sequence = dumps_++;
  dump.taken_monotonic_ns = begin_ns;
  dump.taken_realtime_ns = core::CpuClockNs(CLOCK_REALTIME);
  dump.trigger_detail = reason.detail;
  dump.identity = DescribeProcess();
  dump.configuration = settings::Describe(*parts_.config);
  dump.slow_ns = settings::Ns(parts_.config->slow_ms);
  dump.interval_ns = settings::Ns(parts_.config->interval_us);
  dump.counters = ReadCounters();
  model::Message running;
  const bool is_running = DescribeRunning(begin_ns, &running);
  // The running message was read first. Otherwise one that ends in between would be in neither
  // list.
  parts_.pipelines->TakeForDump(begin_ns);
  DescribePast(begin_ns, &dump);
  const bool has_ended =
      std::ranges::find(dump.history, running.token, &model::Message::token) != dump.history.end();
  if (is_running && !has_ended) dump.running = std::move(running);
  dump.thread_stacks = Stacks();
  dump.other_threads = parts_.others->Describe();
  if (!dump.thread_stacks->stacks.empty()) dump.modules = survey_.libraries();
  std::string stack = parts_.main_watch->WalkNow();
  DescribeRuntime(begin_ns, &dump);
  DescribeStack(std::move(stack), &dump);
  DescribeCohort(&dump);
  if (reason.trigger == model::Trigger::kSigquit)
    dump.signal_catcher.emplace().absent = reason.traces_absent;
  dump::Redact(parts_.config->omit, &dump);
  written.path = FreePath(folder, dumps_, reason.trigger);
  written.result = WriteFile(dump, written.path);
  const uint64_t took_ns = core::MonotonicNs() - begin_ns;
  core::Counters::Set(Counter::kLastDumpTimeNs, took_ns);
  core::Counters::Add(Counter::kDumpsRemoved,
                      os::KeepNewestFiles(folder, kDumpPrefix, kDumpSuffix, parts_.config->dumps));
  if (written.result.ok()) {
    os::Log("wrote %s (%llu bytes in %.1f ms)", written.path.c_str(),
            static_cast<unsigned long long>(written.result.bytes),
            static_cast<double>(took_ns) / 1e6);
  } else {
    os::Log("%s", dump::Writer::Describe(written.result, written.path).c_str());
  }
  written.occasion = static_cast<model::Occasion&&>(dump);  // the base alone
  return written;
}

dump::WriteResult DumpAssembler::WriteFile(const model::Dump& dump, const std::string& path) {
  std::vector<const dump::EncodedTree*> trees;
  std::vector<const dump::EncodedTree*> of_threads;
  std::vector<std::unique_ptr<dump::EncodedTree>> of_running;
  if (!dump.other_threads.empty()) of_threads = parts_.others->Trees(&of_running);
  std::vector<std::unique_ptr<dump::EncodedTree>> of_loopers;
  if (!parts_.config->omit.Has(settings::Part::kStacks)) {
    for (const auto& tree : parts_.trees->kept()) trees.push_back(tree.get());
    parts_.pipelines->EncodeRunning(&of_loopers);
    for (const auto& tree : of_loopers) trees.push_back(tree.get());
  }
  dump::EncodedTree running;
  if (dump.running && (dump.running->flags & model::kMessageHasTree) != 0 &&
      parts_.writer->EncodeTree(parts_.trees->running(), &running) == dump::Status::kOk)
    trees.push_back(&running);
  return parts_.writer->WriteDump(dump, {parts_.names, trees, of_threads}, path.c_str());
}

}  // namespace stillframe::collector
