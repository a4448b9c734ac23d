// SPDX-License-Identifier: Apache-2.0
#include "src/jank/jank_store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "src/core/clock.h"
#include "src/core/counters.h"
#include "src/dump/jank_record.h"
#include "src/history/entry_ring.h"
#include "src/jank/json_text.h"
#include "src/jank/record_text.h"
#include "src/jank/spool.h"
#include "src/model/frame_table.h"
#include "src/os/duration.h"
#include "src/os/file_text.h"
#include "src/os/log.h"
#include "src/os/proc.h"
#include "src/settings/cohort_names.h"

namespace stillframe::jank {
namespace {

using history::Entry;
using history::EntryKind;
using os::kNsPerMs;
using settings::Part;

constexpr size_t kMostLines = 5;
constexpr size_t kMaxName = 48;  // the end of a class name matters more than its package

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

// The five newest entries that ended, newest first, each a line "KIND,COUNT,ms,NAME". Kinds:
// "message" with Handler or Runnable; "messages", a run of quick ones; "segment" with its method;
// "idle"; "frozen"; "blind", when no tap was in force. "": none known. `has_methods`: whether
// methods of segments may be included.
std::string RanBefore(const history::EntryRing& past, const model::FrameTable& names,
                      bool has_methods) {
  std::string lines;
  for (size_t i = 0; i < std::min(past.size(), kMostLines); ++i) {
    const Entry& entry = past.At(past.size() - 1 - i);
    char line[64];
    snprintf(line, sizeof line, "%s,%u,%llu,", KindOf(entry),
             entry.IsWork() ? std::max(entry.messages, 1U) : 1,
             static_cast<unsigned long long>((entry.end_ns - entry.start_ns) / os::kNsPerMs));
    const bool has_name = has_methods || entry.kind != EntryKind::kSegment;
    std::string_view name = has_name ? names.String(entry.callback) : "";
    if (name.empty()) name = names.String(entry.target);
    lines.append(line).append(name.substr(name.size() - std::min(name.size(), kMaxName))) += '\n';
  }
  return lines;
}

constexpr uint32_t kMaxParts = 8;
constexpr uint32_t kFewestSamples = 5;  // needed to identify a stack by a method
constexpr size_t kMaxEntries = 30;      // of a stack, as Matrix has it
// Between the first two writes of one file; then twice as long each time, up to 32 times.
constexpr uint64_t kGapNs = 2 * os::kNsPerSecond;
constexpr uint64_t kMostDoublings = 5;
// The end of a running hang is handed over within this time, or is lost.
constexpr uint64_t kAwaitEndNs = 100 * kNsPerMs;
// Ages at which a running hang is written first and second.
constexpr uint64_t kFirstRunningNs = 2 * os::kNsPerSecond;
constexpr uint64_t kSecondRunningNs = 5 * os::kNsPerSecond;
constexpr uint64_t kBusyNs = 20 * os::kNsPerMs;  // retry after another process's write
constexpr uint32_t kMostBusy = 100;              // consecutive retries

// Distinct from other numbers of an identity; to the first a stage is added.
constexpr uint32_t kFrames = 0x200;
constexpr uint32_t kDebugged = 0x300;
constexpr uint32_t kOtherThread = 0x400;

// FNV-1a over what makes messages equal.
class IdentityHash {
 public:
  void Add(std::string_view text) {
    for (const char c : text) AddNumber(static_cast<uint8_t>(c));
    AddNumber(0x100);
  }
  void AddNumber(uint32_t number) { hash_ = (hash_ ^ number) * 16777619U; }
  uint32_t hash() const { return hash_; }

 private:
  uint32_t hash_ = 2166136261U;
};

uint32_t IdentityOf(const history::EndedJank& jank, bool is_debugged) {
  const tap::EndedMessage& ended = jank.ended;
  const model::SegmentKind segment = jank.facts.segment;
  IdentityHash identity;
  identity.Add(ended.target);
  // A segment's name comes from its stack, which may differ by chance.
  if (segment == model::SegmentKind::kNone) identity.Add(ended.callback);
  identity.AddNumber(static_cast<uint32_t>(ended.what));
  identity.AddNumber(static_cast<uint32_t>(segment));
  if (jank.is_frame) identity.AddNumber(kFrames + static_cast<uint32_t>(jank.facts.stage));
  if (is_debugged) identity.AddNumber(kDebugged);
  if (jank.thread.name != nullptr) {
    identity.AddNumber(kOtherThread);
    identity.Add(jank.thread.name);
  }
  return identity.hash();
}

// Takes frozen time out of a hang, as if the clocks had stopped.
class Thaw {
 public:
  Thaw(const history::FrozenTimes* frozen, uint64_t start_ns, uint64_t wall_ns)
      : frozen_(frozen),
        start_ns_(start_ns),
        frozen_ns_(frozen == nullptr ? 0 : frozen->Within(start_ns, start_ns + wall_ns)) {}

  uint64_t frozen_ns() const { return frozen_ns_; }
  const model::TraceTree* Of(const model::TraceTree* tree) {
    if (tree == nullptr || frozen_ns_ == 0) return tree;
    tree_ = *tree;
    tree_.MoveTimes(*this);
    return &tree_;
  }
  std::vector<model::LockWait> Of(std::span<const model::LockWait> waits) const {
    std::vector<model::LockWait> moved(waits.begin(), waits.end());
    if (frozen_ns_ == 0) return moved;
    for (model::LockWait& wait : moved) {
      wait.from_us = (*this)(wait.from_us);
      wait.until_us = (*this)(wait.until_us);
      wait.blocked_us = std::min(wait.blocked_us, wait.until_us - wait.from_us);
    }
    return moved;
  }
  // Microseconds since the hang's start.
  uint32_t operator()(uint32_t us) const {
    const uint64_t frozen_ns = frozen_->Within(start_ns_, start_ns_ + uint64_t{us} * 1'000);
    return us - static_cast<uint32_t>(frozen_ns / 1'000);
  }

 private:
  const history::FrozenTimes* frozen_;
  uint64_t start_ns_;
  uint64_t frozen_ns_;
  model::TraceTree tree_;
};

// As in a dump.
model::Message MessageOf(const history::EndedJank& jank) {
  const tap::EndedMessage& ended = jank.ended;
  const history::MessageFacts& facts = jank.facts;
  model::Message message;
  message.token = ended.token;
  message.start_ns = ended.start_ns;
  message.wait_ns = ended.wait_ns;
  message.wall_ns = static_cast<int64_t>(ended.work_ns);
  if (!jank.is_frame)
    message.cpu_ns = static_cast<int64_t>(
        ended.end_cpu_ns > ended.start_cpu_ns ? ended.end_cpu_ns - ended.start_cpu_ns : 0);
  message.samples = facts.samples;
  message.what = ended.what;
  message.target = ended.target;
  message.stage = facts.stage;
  message.segment.kind = facts.segment;
  model::CallbackOrMethod(message) = ended.callback;
  message.lock_owner_tid = static_cast<uint32_t>(facts.lock_holder.tid);
  message.lock_owner = facts.lock_holder.name;
  message.runqueue_wait_ns = facts.runqueue_wait_ns;
  message.blocked_ns = facts.blocked_ns;
  message.lock_waits.assign(facts.lock_waits.begin(), facts.lock_waits.end());
  if (jank.tree != nullptr) message.flags |= model::kMessageHasTree;
  return message;
}

uint64_t CpuNs(const tap::EndedMessage& ended) {
  return ended.end_cpu_ns > ended.start_cpu_ns ? ended.end_cpu_ns - ended.start_cpu_ns : 0;
}

// The time before the first sample. It is attributed to that sample's stack as well.
int64_t FirstSampleMs(const model::TraceTree& tree) {
  uint32_t first_us = UINT32_MAX;
  for (const model::Sample& sample : tree.samples()) first_us = std::min(first_us, sample.wall_us);
  return first_us / 1'000;
}

// Discounts run-queue wait: the scheduler stopped the thread at an arbitrary place.
uint64_t SamplesWithStack(const history::EndedJank& jank) {
  const uint64_t whole_us = jank.ended.work_ns / 1'000;
  const auto waited_us =
      static_cast<uint64_t>(std::max<int64_t>(jank.facts.runqueue_wait_ns, 0)) / 1'000;
  return jank.tree->sample_count() * (whole_us - std::min(whole_us, waited_us)) /
         std::max<uint64_t>(whole_us, 1);
}

int64_t Ms(int64_t ns) { return ns < 0 ? dump::kNotThere : ns / static_cast<int64_t>(kNsPerMs); }

// "depth,id,count,ms\n" each. Adds the names of the ids to `methods`.
std::string LinesOf(const std::vector<model::EvilEntry>& stack, const model::FrameTable& names,
                    std::vector<model::NamedText>* methods) {
  std::string lines;
  for (const model::EvilEntry& entry : stack) {
    char line[64];
    snprintf(line, sizeof line, "%u,%u,%u,%u\n", entry.depth, entry.id, entry.count, entry.ms);
    lines += line;
    bool is_known = false;
    for (const model::EvilEntry* other = stack.data(); other != &entry; ++other)
      is_known |= other->id == entry.id;
    if (!is_known) methods->push_back({std::to_string(entry.id), model::NameOf(entry, names)});
  }
  return lines;
}

// Trims the stack until the counts fit.
void AddStack(uint32_t wall_ms, const model::FrameTable& names,
              std::vector<model::EvilEntry>* stack, JsonText* json) {
  const uint32_t method = model::KeyOf(*stack, wall_ms);
  char key[16];
  snprintf(key, sizeof key, "%u|", method);
  model::Trim(wall_ms, kMaxEntries, method, stack);
  for (const size_t size = json->size();; model::DropOne(wall_ms, method, stack)) {
    dump::JankStack described;
    const std::string lines = LinesOf(*stack, names, &described.methods);
    described.key = key;
    if (!lines.empty()) described.lines = lines.c_str();
    Fields(*json, described);
    if (lines.empty() || json->size() <= kMaxRecordBytes - kMaxCountBytes) return;
    json->CutTo(size);
  }
}

}  // namespace

void JankStore::Start(const Setup& setup) {
  setup_ = setup;
  device_ = context::ReadDeviceClass();
  if (setup.config->janks && setup.config->dump_dir.empty())
    os::Log("no records of janks are written: set STILLFRAME_DUMP_DIR to a writable folder");
}

void JankStore::OnJank(void* store, const history::EndedJank& jank) {
  auto* self = static_cast<JankStore*>(store);
  const settings::Config* config = self->setup_.config;
  if (config == nullptr || !config->enabled || !config->janks || config->dump_dir.empty()) return;
  Thaw thaw(jank.frozen, jank.ended.start_ns, jank.ended.work_ns);
  tap::EndedMessage ended = jank.ended;
  ended.work_ns -= thaw.frozen_ns();
  history::MessageFacts facts = jank.facts;
  facts.blocked_ns = std::min(facts.blocked_ns, static_cast<int64_t>(ended.work_ns));
  const std::vector<model::LockWait> lock_waits = thaw.Of(facts.lock_waits);
  facts.lock_waits = lock_waits;
  self->Hear({ended, facts, thaw.Of(jank.tree), jank.past, jank.is_frame, jank.longest_ns, nullptr,
              jank.thread});
}

void JankStore::Hear(const history::EndedJank& jank) {
  const settings::Config* config = setup_.config;
  const uint64_t long_ns = settings::Ns(config->jank_ms);
  // A frame frozen by one long message is in that message's record.
  const bool is_jank = jank.is_frame ? jank.longest_ns < long_ns : jank.ended.work_ns >= long_ns;
  const bool was_debugged = debugged_token_ != Token::kNone && jank.ended.token == debugged_token_;
  // The main thread may hang while another thread's jank ends.
  const bool may_ask = jank.thread.name == nullptr || running_ == nullptr;
  const bool is_debugged = is_jank && (was_debugged || IsDebugged(may_ask));
  if (setup_.session != nullptr && jank.thread.name == nullptr) {
    if (is_jank && !jank.is_frame) setup_.session->SetRunning(0);
    const bool is_slow = !jank.is_frame && jank.ended.work_ns >= settings::Ns(config->slow_ms);
    setup_.session->Count(jank.ended.work_ns, is_slow, is_jank && !is_debugged);
  }
  // Pauses under a debugger do not count. A hang that was on disk before is marked.
  const bool is_on_disk =
      running_ != nullptr && !jank.is_frame && running_token_ == jank.ended.token;
  if (is_jank && (!is_debugged || is_on_disk)) Take(jank, is_debugged);
}

std::vector<model::EvilEntry> JankStore::StackOf(const history::EndedJank& jank) const {
  if (jank.tree == nullptr || Omits(Part::kStacks)) return {};
  const uint64_t wall_us = std::min<uint64_t>(jank.ended.work_ns / 1'000, UINT32_MAX);
  return model::EvilStackOf(*jank.tree, *setup_.names, static_cast<uint32_t>(wall_us));
}

bool JankStore::IsDebugged(bool may_ask) const {
  return setup_.is_debugged != nullptr && setup_.is_debugged(setup_.source, may_ask);
}

void JankStore::Take(const history::EndedJank& jank, bool is_debugged) {
  core::Counters::Add(Counter::kJanks);
  const auto wall_ms =
      static_cast<uint32_t>(std::min<uint64_t>(jank.ended.work_ns / kNsPerMs, UINT32_MAX));
  std::vector<model::EvilEntry> stack = StackOf(jank);
  JankCluster::Key key = {IdentityOf(jank, is_debugged), 0};
  if (!stack.empty() && SamplesWithStack(jank) >= kFewestSamples)
    key.method = model::KeyOf(stack, wall_ms);
  const bool was_running =
      running_ != nullptr && !jank.is_frame && running_token_ == jank.ended.token;
  JankCluster* cluster = was_running ? running_ : ClusterOf(key, stack, wall_ms, jank.ended.token);
  if (was_running) {
    running_->EndRunning(key);
    running_->was_running = true;
    running_->due_ns = 0;
    running_ = nullptr;
  }
  if (cluster == nullptr) {
    core::Counters::Add(Counter::kJanksLost);
    return;
  }
  const uint64_t time_ms = core::CpuClockNs(CLOCK_REALTIME) / kNsPerMs;
  cluster->Count(wall_ms, time_ms);
  if (is_debugged) cluster->MarkDebugged();
  if (cluster->WantsDescription())
    cluster->Describe(
        Description(jank, {MessageOf(jank), false, jank.tree, Before(jank), nullptr, jank.thread},
                    &stack, time_ms));
  cluster->is_behind = true;
}

// Null if all clusters have something to write.
JankCluster* JankStore::ClusterOf(const JankCluster::Key& key,
                                  const std::vector<model::EvilEntry>& stack, uint32_t wall_ms,
                                  Token token) {
  for (auto& cluster : clusters_)
    if (cluster != nullptr && cluster->Takes(key, stack, wall_ms)) return cluster.get();
  return NewCluster(key, token);
}

// Replaces a cluster whose file is complete; null as above.
JankCluster* JankStore::NewCluster(const JankCluster::Key& key, Token token) {
  std::unique_ptr<JankCluster>* place = nullptr;
  for (auto& cluster : clusters_) {
    const bool is_free = cluster == nullptr || (!cluster->is_behind && !cluster->is_running());
    if (is_free && (place == nullptr || (*place != nullptr && cluster == nullptr)))
      place = &cluster;
  }
  if (place == nullptr) return nullptr;
  const uint16_t omit = setup_.config->omit.bits();
  std::string id = setup_.identity != nullptr ? setup_.identity->ProcessId(omit) : "x-0.0";
  id.append("-").append(std::to_string(static_cast<uint64_t>(token)));
  *place = std::make_unique<JankCluster>(key, std::move(id));
  return place->get();
}

std::vector<model::HistoryRecord> JankStore::Before(const history::EndedJank& jank) const {
  return history::RecordsBefore(
      {jank.past, {}, *setup_.names, settings::Ns(setup_.config->slow_ms), 0}, jank.ended.start_ns,
      kBeforeNs);
}

std::string JankStore::Description(const history::EndedJank& jank, const Hang& hang,
                                   std::vector<model::EvilEntry>* stack, uint64_t time_ms) const {
  const tap::EndedMessage& ended = jank.ended;
  const history::MessageFacts& facts = jank.facts;
  const std::string process = os::ProcessName();
  const uint64_t cpu_ns = CpuNs(ended);
  const auto hundredths =
      static_cast<uint32_t>(cpu_ns * 10'000 / std::max<uint64_t>(ended.work_ns, 1));
  char usage[24];
  snprintf(usage, sizeof usage, "%u.%02u%%", hundredths / 100, hundredths % 100);
  const std::string scene = setup_.annotations->Scene();
  const std::string before = RanBefore(jank.past, *setup_.names, !Omits(Part::kStacks));
  const std::string& cohort = setup_.config->cohort;
  const bool is_on = sampling_.empty() || sampling_.starts_with("on, ");
  const bool is_in_trouble = is_on && setup_.trouble != nullptr && !setup_.trouble->empty();
  const char* sampler_off = is_in_trouble ? setup_.trouble->c_str() : nullptr;
  const char* watchdog = nullptr;
  if (!is_in_trouble && !sampling_.empty()) (is_on ? watchdog : sampler_off) = sampling_.c_str();
  const bool is_segment = facts.segment != model::SegmentKind::kNone;
  const bool is_in_frame = jank.is_frame || facts.stage != model::FrameStage::kNone;
  const int nice = context::NiceOfProcess();
  const dump::JankDescription record = {
      .process = process.c_str(),
      .time = time_ms,
      .cost = ended.work_ns / kNsPerMs,
      .usage = jank.is_frame ? nullptr : usage,
      .scene = scene.c_str(),
      .priority = 20 + nice,
      .nice = nice,
      .is_foreground = context::IsInForeground(),
      .machine = device_.level,
      .memory_bytes = device_.memory_bytes,
      .target = ended.target,
      .callback = ended.callback,
      .what = ended.what,
      .thread = jank.thread.name == nullptr || !Omits(Part::kThreads) ? jank.thread.name : "",
      .segment = is_segment ? static_cast<int64_t>(facts.segment) : dump::kNotThere,
      .is_frozen_frame = jank.is_frame,
      .stage = is_in_frame ? static_cast<int64_t>(facts.stage) : dump::kNotThere,
      .cpu_ms = jank.is_frame ? dump::kNotThere : static_cast<int64_t>(cpu_ns / kNsPerMs),
      .runqueue_wait_ms = Ms(facts.runqueue_wait_ns),
      .blocked_ms = Ms(facts.blocked_ns),
      .wait_ms = Ms(ended.wait_ns),
      .before = before.c_str(),
      .samples = facts.samples,
      .first_sample_ms = jank.tree == nullptr ? dump::kNotThere : FirstSampleMs(*jank.tree),
      .sampler_off = sampler_off,
      .watchdog = watchdog,
      .group = settings::kSampled,  // the control group writes none
      .cohort = cohort.empty() ? nullptr : cohort.c_str()};
  JsonText json("{", setup_.config->omit.bits(), is_segment);
  AddDescription(record, &json);
  if (!stack->empty()) AddStack(static_cast<uint32_t>(record.cost), *setup_.names, stack, &json);
  if (setup_.identity != nullptr)
    AddIdentity(
        RecordIdentity(*setup_.identity, setup_.annotations->Read(), setup_.config->omit.bits()),
        &json);
  const std::string dump_text = FactsOf(
      hang, {setup_.config, setup_.names, setup_.annotations, setup_.writer, setup_.process},
      core::MonotonicNs());
  Fields(json, dump::JankFacts{dump_text.empty() ? nullptr : dump_text.c_str(), nullptr});
  return std::move(json.text());
}

void JankStore::WriteRunning(Hang* hang) {
  model::Message& message = hang->message;
  Thaw thaw(hang->frozen, message.start_ns, static_cast<uint64_t>(message.wall_ns));
  message.wall_ns -= static_cast<int64_t>(thaw.frozen_ns());
  message.blocked_ns = std::min(message.blocked_ns, message.wall_ns);
  message.lock_waits = thaw.Of(message.lock_waits);
  const model::TraceTree* const with_freezes = std::exchange(hang->tree, thaw.Of(hang->tree));
  tap::EndedMessage ended = {};
  ended.kind = tap::EndedKind::kMessage;
  ended.token = message.token;
  ended.start_ns = message.start_ns;
  ended.work_ns = static_cast<uint64_t>(message.wall_ns);
  ended.end_cpu_ns = static_cast<uint64_t>(std::max<int64_t>(message.cpu_ns, 0));
  ended.wait_ns = model::kTimeUnknown;
  history::MessageFacts facts;
  facts.samples = message.samples;
  facts.runqueue_wait_ns = message.runqueue_wait_ns;
  facts.blocked_ns = message.blocked_ns;
  facts.stage = message.stage;
  facts.segment = message.segment.kind;
  const history::EntryRing no_past(1);
  const history::EndedJank jank = {ended, facts, hang->tree, no_past};
  std::vector<model::EvilEntry> stack = StackOf(jank);
  const uint64_t time_ms = core::CpuClockNs(CLOCK_REALTIME) / kNsPerMs;
  running_->CountRunning(ended.work_ns / kNsPerMs, time_ms);
  if (setup_.session != nullptr) setup_.session->SetRunning(ended.work_ns / kNsPerMs);
  if (debugged_token_ == message.token) running_->MarkDebugged();
  running_->Describe(Description(jank, *hang, &stack, time_ms));
  hang->tree = with_freezes;
  running_->is_behind = true;
  running_->due_ns = 0;
}

// The hang no longer runs. Its end follows once Java has described the message: OnJank counts it.
bool JankStore::IsEndDue(uint64_t now_ns) {
  if (gone_since_ns_ == 0) {
    gone_since_ns_ = now_ns;
    return true;
  }
  return !hurries() && now_ns - gone_since_ns_ < kAwaitEndNs;
}

// Returns nanoseconds until the running hang is due.
uint64_t JankStore::FollowRunning(uint64_t now_ns) {
  const settings::Config& config = *setup_.config;
  if (setup_.running == nullptr || !config.enabled || !config.janks || config.dump_dir.empty())
    return UINT64_MAX;
  const uint64_t first_ns = std::max(kFirstRunningNs, settings::Ns(config.jank_ms));
  Hang hang;
  const uint64_t age_ns = setup_.running(setup_.source, now_ns,
                                         running_ == nullptr ? first_ns : next_running_ns_, &hang);
  const bool is_gone = running_ != nullptr && (age_ns == 0 || hang.message.token != running_token_);
  if (!is_gone) gone_since_ns_ = 0;
  if (is_gone && IsEndDue(now_ns)) return kAwaitEndNs;
  if (is_gone) {
    running_->LeaveRunning();
    running_->was_running = true;
    if (setup_.session != nullptr) {
      setup_.session->Count(running_->longest_ms() * kNsPerMs, true,
                            debugged_token_ != running_token_);
      setup_.session->SetRunning(0);
    }
    running_->is_behind = true;
    running_->due_ns = 0;
    running_ = nullptr;
  }
  if (age_ns == 0) return UINT64_MAX;
  if (running_ == nullptr) next_running_ns_ = first_ns;
  if (age_ns < next_running_ns_) return next_running_ns_ - age_ns;
  if (IsDebugged(false)) debugged_token_ = hang.message.token;
  const bool is_debugged = debugged_token_ == hang.message.token;
  if (running_ == nullptr && !is_debugged) {
    running_ = NewCluster({0, 0}, hang.message.token);
    running_token_ = hang.message.token;
  }
  if (running_ != nullptr) WriteRunning(&hang);
  while (next_running_ns_ <= age_ns)
    next_running_ns_ = std::max(kSecondRunningNs, 2 * next_running_ns_);
  return next_running_ns_ - age_ns;
}

// Returns nanoseconds until the next try; UINT64_MAX: none scheduled.
uint64_t JankStore::Write(uint64_t now_ns, JankCluster* cluster) {
  const bool hurries = hurries_.load(std::memory_order_relaxed);
  if (!hurries && now_ns < cluster->due_ns) return cluster->due_ns - now_ns;
  cluster->due_ns = now_ns + (kGapNs << std::min(cluster->revision(), kMostDoublings));
  const settings::Config& config = *setup_.config;
  const auto now_s = static_cast<int64_t>(core::CpuClockNs(CLOCK_REALTIME) / os::kNsPerSecond);
  // The end of a hang whose record says that it runs may exceed the budget: else the next process
  // takes it for killed.
  constexpr uint64_t kReservedBytes = 32 * 1024;
  const uint64_t reserve = cluster->was_running ? kReservedBytes : 0;
  const SpoolLimits limits = {config.jank_files,
                              uint64_t{config.jank_kib_per_day} * 1024 + reserve};
  const std::string path = cluster->Path(config.dump_dir);
  switch (WriteToSpool(config.dump_dir, path, cluster->Text(), limits, now_s)) {
    case SpoolResult::kBusy:
      cluster->due_ns = now_ns + kBusyNs;
      // The lock's owner may be stopped: do not wake up for it forever.
      return ++cluster->busy % kMostBusy == 0 ? UINT64_MAX : kBusyNs;
    case SpoolResult::kDayOver:
      core::Counters::Add(Counter::kJankRecordsHeld);
      // The process ends before tomorrow.
      if (hurries) cluster->is_behind = false;
      cluster->due_ns =
          now_ns +
          static_cast<uint64_t>(os::kSecondsPerDay - now_s % os::kSecondsPerDay) * os::kNsPerSecond;
      return cluster->due_ns - now_ns;
    case SpoolResult::kFailed:
      if (core::Counters::Read(Counter::kJankRecordsFailed) == 0)
        os::Log("the record of a jank, %s, is not written: %s", path.c_str(), strerror(errno));
      core::Counters::Add(Counter::kJankRecordsFailed);
      return UINT64_MAX;  // retried when the collector is next awake
    case SpoolResult::kWritten: break;
  }
  core::Counters::Add(Counter::kJankRecordsWritten);
  cluster->busy = 0;
  cluster->is_behind = false;
  cluster->was_running = cluster->is_running();
  if (const std::string old = cluster->TakeRevision(config.dump_dir); !old.empty())
    unlink(old.c_str());
  // Parts left by processes that were killed while writing.
  os::KeepNewestFiles(config.dump_dir, kRecordPrefix, ".part", kMaxParts);
  if (setup_.written != nullptr) setup_.written(setup_.argument, path);
  return UINT64_MAX;
}

void JankStore::ShowCounters() const {
  const bool is_shown = setup_.config->janks || core::Counters::Read(Counter::kJanks) != 0;
  for (const Counter counter : {Counter::kJanks, Counter::kJanksLost, Counter::kJankRecordsWritten,
                                Counter::kJankRecordsFailed, Counter::kJankRecordsHeld})
    core::Counters::Show(counter, is_shown);
}

uint64_t JankStore::Serve(uint64_t now_ns) {
  // Switching off discards what was not written.
  ShowCounters();
  if (!setup_.config->janks || !setup_.config->enabled) {
    // Without its end the next process would take the hang for killed.
    if (running_ != nullptr && running_->revision() != 0)
      unlink(running_->LastPath(setup_.config->dump_dir).c_str());
    running_ = nullptr;
    if (setup_.session != nullptr) setup_.session->SetRunning(0);
    for (auto& cluster : clusters_) cluster.reset();
  }
  uint64_t next_ns = FollowRunning(now_ns);
  bool is_behind = running_ != nullptr && gone_since_ns_ != 0;  // its end is awaited
  for (const auto& cluster : clusters_) {
    if (cluster == nullptr || !cluster->is_behind) continue;
    next_ns = std::min(next_ns, Write(now_ns, cluster.get()));
    is_behind |= cluster->is_behind;
  }
  is_behind_.store(is_behind, std::memory_order_relaxed);
  rounds_.fetch_add(1, std::memory_order_release);
  return next_ns;
}

}  // namespace stillframe::jank
