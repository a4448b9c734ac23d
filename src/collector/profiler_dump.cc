// What the profiler puts into a dump.
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <vector>

#include "arch/arch.h"
#include "src/collector/profiler.h"
#include "src/core/clock.h"
#include "src/os/file_text.h"
#include "src/os/log.h"
#include "src/os/proc.h"
#include "src/sigquit/quit_signal.h"

namespace stillframe::collector {
namespace {

constexpr size_t kPendingLimit = 256;
constexpr const char* kDumpPrefix = "stillframe-";
constexpr const char* kDumpSuffix = ".sfdump";

const char* TriggerName(model::Trigger trigger) {
  switch (trigger) {
    case model::Trigger::kSigquit: return "sigquit";
    case model::Trigger::kApi: return "api";
    case model::Trigger::kExit: return "exit";
    case model::Trigger::kLongMessage: return "long-message";
    case model::Trigger::kHeartbeat: return "heartbeat";
    case model::Trigger::kUnknown: break;
  }
  return "unknown";
}

uint64_t RealtimeNs() { return core::CpuClockNs(CLOCK_REALTIME); }

}  // namespace

stillframe_status Profiler::Wait(uint32_t timeout_ms) {
  if (!Runs()) return STILLFRAME_NOT_STARTED;
  pthread_mutex_lock(&mutex_);
  const bool is_done = changed_.WaitFor(timeout_ms, &mutex_, [this] { return has_started_up_; });
  pthread_mutex_unlock(&mutex_);
  return is_done ? STILLFRAME_OK : STILLFRAME_TIMED_OUT;
}

stillframe_status Profiler::RequestDump(model::Trigger trigger, uint32_t timeout_ms,
                                        std::string* path) {
  if (!Runs() || !vm_found_) return STILLFRAME_NOT_STARTED;
  if (config_.dump_dir.empty()) return STILLFRAME_NO_DUMP_DIR;
  pthread_mutex_lock(&mutex_);
  const uint32_t number = ++requested_;
  request_trigger_ = trigger;
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wake_fd_, &one, sizeof one);
  stillframe_status status = STILLFRAME_TIMED_OUT;
  if (changed_.WaitFor(timeout_ms, &mutex_,
                       [&] { return static_cast<int32_t>(served_ - number) >= 0; })) {
    status = request_status_;
    *path = request_path_;
  }
  pthread_mutex_unlock(&mutex_);
  return status;
}

void Profiler::AtExit() {
  if (!started_ || !config_.enabled || is_fork_) return;
  if (!vm_found_) {
    if (Wait(0) == STILLFRAME_OK) return;  // it has given up waiting, and said so
    os::Log("there was no Java VM in this process (%s): nothing was profiled",
            os::ProcessName().c_str());
    return;
  }
  std::string path;
  if (config_.dump_at_exit) RequestDump(model::Trigger::kExit, 5'000, &path);
  sampler_.Stop();
}

model::Identity Profiler::DescribeProcess() const {
  model::Identity identity;
  identity.process_name = os::ProcessName();
  identity.pid = static_cast<uint32_t>(getpid());
  identity.uid = getuid();
  identity.abi = arch::kAbi;
  identity.art_release = sampler_runs_ ? facts_.layout->release : "";
  identity.art_build_id = build_id_;
  identity.profiler_version = stillframe_version();
  identity.sampler_state = sampler_runs_ && !sampler_.enabled() ? "stopped" : State();
  if (!loopers_.main_watch().trouble().empty())
    identity.sampler_state += "; " + loopers_.main_watch().trouble();
  identity.tap = tap::TapName(loopers_.taps().kind());
  identity.process_start_ns = loaded_ns_;
  return identity;
}

std::vector<model::NamedCount> Profiler::Counters() {
  const sampling::SlowMessageWatch& watch = loopers_.main_watch();
  std::vector<model::NamedCount> counters = {
      {"messages", watched_.message.begun.load(std::memory_order_relaxed)},
      {"samples_by_signal", sampler_.samples()},
      {"samples_without_signal", watch.standing_walks()},
      {"samples_repeated", watch.repeats()},
      {"samples_without_cpu", watch.starved_repeats()},
      {"samples_missed", watch.missed_samples()},
      {"samples_cut", trees_->cut_samples()},
      {"walks_thrown_away", watch.moved_walks()},
      {"handler_time_ns", sampler_.handler_ns()},
      {"collector_cpu_time_ns", core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID)},
      {"last_dump_time_ns", last_dump_ns_},
      {"sigquits", sigquit::QuitSignal::arrivals()},
      {"sigquits_merged", quits_merged_},
      {"dumps_removed", dumps_removed_},
      {"methods_not_resolved", trees_->bad_methods()},
      {"frame_table_overflows", frames_.overflows()},
      {"frame_table_bytes", frames_.memory_bytes()},
      {"tree_bytes", trees_->memory_bytes()},
      {"ring_bytes", sampler_runs_ ? uint64_t{config_.ring_kib} * 1024 : 0},
  };
  loopers_.Count(&counters);
  if (config_.live) counters.push_back({"live_dropped", live_.dropped()});
  for (size_t i = 0; i < static_cast<size_t>(core::Drop::kCount); ++i) {
    const auto drop = static_cast<core::Drop>(i);
    counters.push_back({std::string("drops_") + core::DropName(drop), sampler_.drops().Read(drop)});
  }
  for (size_t i = 1; i < static_cast<size_t>(core::Cut::kCount); ++i) {
    const auto cut = static_cast<core::Cut>(i);
    std::string name = std::string("cut_") + core::CutName(cut);
    for (char& c : name) c = c == ' ' ? '_' : c;
    counters.push_back({name, trees_->samples_by_cut(cut)});
  }
  return counters;
}

bool Profiler::DescribeRunning(uint64_t now_ns, model::Message* message) const {
  const core::RunningMessage running = core::Read(watched_.message);
  if (running.token == 0) return false;
  message->token = running.token;
  message->start_ns = running.start_ns;
  message->wall_ns = static_cast<int64_t>(running.AgeNs(now_ns));
  const uint64_t cpu_ns = core::CpuClockNs(core::ThreadCpuClock(watched_.tid));
  message->cpu_ns =
      static_cast<int64_t>(cpu_ns > running.start_cpu_ns ? cpu_ns - running.start_cpu_ns : 0);
  message->flags = model::kMessageIdentityUnknown;
  if (trees_->token() == running.token && !trees_->running().empty()) {
    message->samples = static_cast<uint32_t>(trees_->running().samples_added());
    message->flags |= model::kMessageHasTree;
    message->blocked_ns = trees_->BlockedNs();
    message->lock_owner_tid = static_cast<uint32_t>(trees_->Owner().tid);
    message->lock_owner = trees_->Owner().name;
    message->stage = trees_->Stage();
  }
  message->runqueue_wait_ns = loopers_.main_watch().RunQueueWaitNs(running, now_ns);
  return true;
}

dump::WriteResult Profiler::WriteDump(model::Trigger trigger, const std::string& detail,
                                      std::string* path) {
  const uint64_t begin_ns = core::MonotonicNs();
  if (config_.dump_dir.empty()) {
    os::Log("no dump is written: set STILLFRAME_DUMP_DIR to a writable folder");
    return {dump::Status::kCannotCreate, 0, 0};
  }
  loopers_.Tick(begin_ns);
  model::Dump dump;
  dump.trigger = trigger;
  dump.sequence = dumps_++;
  dump.taken_monotonic_ns = begin_ns;
  dump.taken_realtime_ns = RealtimeNs();
  dump.trigger_detail = detail;
  dump.identity = DescribeProcess();
  dump.configuration = config::Describe(config_);
  dump.counters = Counters();
  FollowedLoopers::Described past = loopers_.Describe(begin_ns);
  dump.loopers = std::move(past.loopers);
  dump.history = std::move(past.history);
  dump.history_lost = past.history_lost;
  dump.groups = std::move(past.groups);
  dump.groups_lost = past.groups_lost;
  dump.records = std::move(past.records);
  dump.records_lost = past.records_lost;
  dump.jank = std::move(past.jank);
  for (model::Message& message : dump.history) {
    if (trees_->HasKept(message.token)) message.flags |= model::kMessageHasTree;
  }
  std::vector<const dump::EncodedTree*> trees;
  for (const auto& tree : trees_->kept()) trees.push_back(tree.get());
  model::Message running;
  if (DescribeRunning(begin_ns, &running)) dump.running = std::move(running);
  dump::EncodedTree running_tree;
  if (dump.running && (dump.running->flags & model::kMessageHasTree) != 0 &&
      writer_->EncodeTree(trees_->running(), &running_tree) == dump::Status::kOk) {
    trees.push_back(&running_tree);
  }
  FromJava java = ReadFromJava(kPendingLimit, true);
  if (trigger == model::Trigger::kSigquit) {
    dump.trigger_confirmed = ConfirmAnr(java, dump.running ? &*dump.running : nullptr);
    dump.signal_catcher.emplace().absent =
        traces_absent_.empty() ? "they were not there when this dump was written" : traces_absent_;
  }
  dump.pending_source = std::move(java.pending.source);
  dump.pending_absent = std::move(java.pending.absent);
  dump.pending = std::move(java.pending.messages);
  dump.pending_total = java.pending.total;
  dump.pending_is_cut = java.pending.is_cut;
  dump.context = std::move(java.facts);
  process_facts_.Describe(begin_ns, &dump.context);
  dump.threads = process_facts_.Threads(begin_ns);
  dump.annotations = annotations_.Read();

  *path = config_.dump_dir + "/" + kDumpPrefix + std::to_string(getpid()) + "-" +
          std::to_string(dumps_) + "-" + TriggerName(trigger) + kDumpSuffix;
  if (trigger == model::Trigger::kSigquit) {
    quit_ = {*path, dump};
  }
  const dump::WriteResult result = writer_->WriteDump(dump, {&frames_, trees}, path->c_str());
  last_dump_ns_ = core::MonotonicNs() - begin_ns;
  dumps_removed_ += os::KeepNewestFiles(config_.dump_dir, kDumpPrefix, kDumpSuffix, config_.dumps);
  if (result.ok()) {
    os::Log("wrote %s (%llu bytes in %.1f ms)", path->c_str(),
            static_cast<unsigned long long>(result.bytes),
            static_cast<double>(last_dump_ns_) / 1e6);
  } else {
    os::Log("%s", dump::Writer::Describe(result, *path).c_str());
  }
  return result;
}

}  // namespace stillframe::collector
