// SPDX-License-Identifier: Apache-2.0
#include "src/jank/jank_store.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "src/cohort/cohort.h"
#include "src/core/clock.h"
#include "src/history/entry_ring.h"
#include "src/jank/day_file.h"
#include "src/jank/json_text.h"
#include "src/jank/spool.h"
#include "src/os/duration.h"
#include "src/os/file_text.h"
#include "src/os/log.h"
#include "src/os/proc.h"
#include "src/trace/frame_table.h"

namespace stillframe::jank {
namespace {

using config::Part;
using history::Entry;
using history::EntryKind;
using os::kNsPerMs;

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

// The newest five of what ended, the newest first, each a line "KIND,COUNT,ms,NAME": "message" with
// its Handler or Runnable, "messages" for a run of quick ones, "segment" with its method, "idle",
// "frozen" and "blind", when no tap was in force. "" when nothing is known. `has_methods`: whether
// the methods of segments may be told.
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

constexpr uint32_t kMaxParts = 8;
constexpr uint32_t kFewestSamples = 5;  // that tell by which method a stack is to be known
constexpr size_t kMaxEntries = 30;      // of a stack, as Matrix has it
constexpr size_t kMaxTextBytes = 96;    // of a text but methods' names
constexpr size_t kMaxNameBytes = 160;
constexpr size_t kMaxBeforeBytes = 400;
constexpr uint64_t kGapNs = 2 * os::kNsPerSecond;  // between two writes of one file
constexpr uint64_t kBusyNs = 20 * os::kNsPerMs;    // until another process has written
constexpr uint32_t kMostBusy = 100;                // so often on end

constexpr uint32_t kFrames = 0x200;  // among the numbers of an identity

// FNV-1a of what makes messages equal.
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

uint32_t IdentityOf(const history::EndedJank& jank) {
  const tap::EndedMessage& ended = jank.ended;
  const model::Segment segment = jank.facts.segment;
  IdentityHash identity;
  identity.Add(ended.target);
  // A segment's name is of its stack, which may differ by chance.
  if (segment == model::Segment::kNone) identity.Add(ended.callback);
  identity.AddNumber(static_cast<uint32_t>(ended.what));
  identity.AddNumber(static_cast<uint32_t>(segment));
  if (jank.is_frame) identity.AddNumber(kFrames + static_cast<uint32_t>(jank.facts.stage));
  return identity.hash();
}

// "12.34%"
std::string Percent(uint64_t part, uint64_t whole) {
  const uint64_t hundredths = whole == 0 ? 0 : part * 10'000 / whole;
  std::string text;
  AppendNumber(hundredths / 100, &text);
  text += '.';
  if (hundredths % 100 < 10) text += '0';
  AppendNumber(hundredths % 100, &text);
  text += '%';
  return text;
}

uint64_t CpuNs(const tap::EndedMessage& ended) {
  return ended.end_cpu_ns > ended.start_cpu_ns ? ended.end_cpu_ns - ended.start_cpu_ns : 0;
}

// The part of a jank before it stands under the first sample's stack as well.
uint32_t FirstSampleMs(const trace::TraceTree& tree) {
  uint32_t first_us = UINT32_MAX;
  tree.ForEachStack([&](uint32_t, std::span<const trace::FrameId>, const trace::Sample& sample) {
    first_us = std::min(first_us, sample.wall_us);
  });
  return first_us / 1'000;
}

// While it was ready without a CPU a thread stood where the scheduler had stopped it, by chance.
uint64_t SamplesThatTell(const history::EndedJank& jank) {
  const uint64_t whole_us = jank.ended.work_ns / 1'000;
  const auto waited_us =
      static_cast<uint64_t>(std::max<int64_t>(jank.facts.runqueue_wait_ns, 0)) / 1'000;
  return jank.tree->sample_count() * (whole_us - std::min(whole_us, waited_us)) /
         std::max<uint64_t>(whole_us, 1);
}

void AddTime(const char* name, int64_t ns, JsonText* json) {
  if (ns >= 0) json->Number(name, static_cast<uint64_t>(ns) / kNsPerMs);
}

void AddSigned(const char* name, int32_t value, JsonText* json) {
  std::string text(value < 0 ? "-" : "");
  AppendNumber(value < 0 ? 0 - static_cast<uint64_t>(int64_t{value}) : static_cast<uint64_t>(value),
               &text);
  json->Raw(name, text);
}

struct StackText {
  std::string lines;    // "depth,id,count,ms\n", escaped and in quotes
  std::string methods;  // {"id":"class.method"}
};

StackText TextOf(const std::vector<trace::EvilEntry>& stack, const trace::FrameTable& names) {
  StackText text;
  JsonText methods;
  text.lines += '"';
  for (size_t i = 0; i < stack.size(); ++i) {
    const trace::EvilEntry& entry = stack[i];
    std::string id;
    AppendNumber(entry.id, &id);
    AppendNumber(entry.depth, &text.lines);
    text.lines.append(",").append(id).append(",");
    AppendNumber(entry.count, &text.lines);
    text.lines += ',';
    AppendNumber(entry.ms, &text.lines);
    text.lines += "\\n";
    bool is_known = false;
    for (size_t before = 0; before < i; ++before) is_known |= stack[before].id == entry.id;
    if (!is_known) methods.Text(id.c_str(), trace::NameOf(entry, names), kMaxNameBytes);
  }
  text.lines += '"';
  text.methods.append("{").append(methods.members());
  text.methods.back() = '}';
  return text;
}

// As much of the stack as leaves room for the counts; trims it.
void AddStack(uint32_t wall_ms, const trace::FrameTable& names,
              std::vector<trace::EvilEntry>* stack, JsonText* json) {
  constexpr size_t kFrameBytes = 64;  // names of the members and what stands around their values
  const uint32_t method = trace::KeyOf(*stack, wall_ms);
  std::string key("\"");
  AppendNumber(method, &key);
  json->Raw("stackKey", key.append("|\""));
  trace::Trim(wall_ms, kMaxEntries, method, stack);
  for (; !stack->empty(); trace::DropOne(wall_ms, method, stack)) {
    const StackText text = TextOf(*stack, names);
    if (json->members().size() + text.lines.size() + text.methods.size() + kFrameBytes >
        kMaxRecordBytes - kMaxCountBytes)
      continue;
    json->Raw("stack", text.lines);
    json->Raw("methods", text.methods);
    return;
  }
}

}  // namespace

void JankStore::Start(const Setup& setup) {
  setup_ = setup;
  device_ = ReadDeviceClass();
  started_s_ = core::CpuClockNs(CLOCK_REALTIME) / os::kNsPerSecond;
  if (setup.config->janks && setup.config->dump_dir.empty())
    os::Log("no records of janks are written: set STILLFRAME_DUMP_DIR to a writable folder");
}

void JankStore::Heard(void* store, const history::EndedJank& jank) {
  auto* self = static_cast<JankStore*>(store);
  const config::Config* config = self->setup_.config;
  if (config == nullptr || !config->enabled || !config->janks || config->dump_dir.empty()) return;
  const uint64_t long_ns = config->jank_ms * kNsPerMs;
  // A frame that one long message has frozen is in that one's record.
  if (jank.is_frame ? jank.longest_ns < long_ns : jank.ended.work_ns >= long_ns) self->Take(jank);
}

void JankStore::Take(const history::EndedJank& jank) {
  ++janks_;
  const auto wall_ms =
      static_cast<uint32_t>(std::min<uint64_t>(jank.ended.work_ns / kNsPerMs, UINT32_MAX));
  std::vector<trace::EvilEntry> stack;
  if (jank.tree != nullptr && !Omits(Part::kStacks)) {
    const uint64_t wall_us = jank.ended.work_ns / 1'000;
    stack = trace::EvilStackOf(*jank.tree, *setup_.names,
                               static_cast<uint32_t>(std::min<uint64_t>(wall_us, UINT32_MAX)));
  }
  JankCluster::Key key = {IdentityOf(jank), 0};
  if (!stack.empty() && SamplesThatTell(jank) >= kFewestSamples)
    key.method = trace::KeyOf(stack, wall_ms);
  JankCluster* cluster = ClusterOf(key, stack, wall_ms);
  if (cluster == nullptr) {
    ++janks_lost_;
    return;
  }
  const uint64_t time_ms = core::CpuClockNs(CLOCK_REALTIME) / kNsPerMs;
  cluster->Count(wall_ms, time_ms);
  if (cluster->WantsDescription()) cluster->Describe(Members(jank, &stack, time_ms));
  cluster->is_behind = true;
}

// Of those of which the file has everything one makes room; null when there is none.
JankCluster* JankStore::ClusterOf(const JankCluster::Key& key,
                                  const std::vector<trace::EvilEntry>& stack, uint32_t wall_ms) {
  std::unique_ptr<JankCluster>* place = nullptr;
  for (auto& cluster : clusters_) {
    if (cluster != nullptr && cluster->Takes(key, stack, wall_ms)) return cluster.get();
    const bool is_free = cluster == nullptr || !cluster->is_behind;
    if (is_free && (place == nullptr || (*place != nullptr && cluster == nullptr)))
      place = &cluster;
  }
  if (place == nullptr) return nullptr;
  std::string path = setup_.config->dump_dir;
  path.append("/").append(kRecordPrefix);
  AppendNumber(started_s_, &path);
  path += '-';
  AppendNumber(static_cast<uint64_t>(getpid()), &path);
  path += '-';
  AppendNumber(++files_, &path);
  path += kRecordSuffix;
  *place = std::make_unique<JankCluster>(key, std::move(path));
  return place->get();
}

// Fields of Matrix's issue first, then what it does not have.
std::string JankStore::Members(const history::EndedJank& jank, std::vector<trace::EvilEntry>* stack,
                               uint64_t time_ms) const {
  const tap::EndedMessage& ended = jank.ended;
  const auto wall_ms = static_cast<uint32_t>(ended.work_ns / kNsPerMs);
  JsonText json;
  json.Raw("tag", "\"Trace_EvilMethod\"");
  if (!Omits(Part::kProcess)) json.Text("process", os::ProcessName(), kMaxTextBytes);
  json.Number("time", time_ms);
  json.Raw("detail", "\"NORMAL\"");
  json.Number("cost", wall_ms);
  if (!jank.is_frame) json.Text("usage", Percent(CpuNs(ended), ended.work_ns), kMaxTextBytes);
  if (!Omits(Part::kAnnotations)) json.Text("scene", setup_.annotations->Scene(), kMaxTextBytes);
  const int nice = NiceOfProcess();
  AddSigned("processPriority", 20 + nice, &json);
  AddSigned("processNice", nice, &json);
  json.Raw("isProcessForeground", IsInForeground() ? "true" : "false");
  if (!Omits(Part::kContext)) {
    json.Text("machine", device_.level, kMaxTextBytes);
    json.Number("mem", device_.memory_bytes);
  }
  if (!Omits(Part::kMessages)) {
    json.Text("target", ended.target, kMaxTextBytes);
    const bool is_method = jank.facts.segment != model::Segment::kNone;
    if (!is_method || !Omits(Part::kStacks)) json.Text("callback", ended.callback, kMaxTextBytes);
  }
  AddSigned("what", ended.what, &json);
  if (jank.facts.segment != model::Segment::kNone)
    json.Number("segment", static_cast<uint64_t>(jank.facts.segment));
  if (jank.is_frame) json.Raw("frozenFrame", "true");
  if (jank.is_frame || jank.facts.stage != model::FrameStage::kNone)
    json.Number("stage", static_cast<uint64_t>(jank.facts.stage));
  if (!jank.is_frame) json.Number("cpu_ms", CpuNs(ended) / kNsPerMs);
  AddTime("run_queue_ms", jank.facts.runqueue_wait_ns, &json);
  AddTime("blocked_ms", jank.facts.blocked_ns, &json);
  AddTime("late_ms", ended.wait_ns, &json);
  if (!Omits(Part::kMessages))
    json.Text("before", RanBefore(jank.past, *setup_.names, !Omits(Part::kStacks)),
              kMaxBeforeBytes);
  json.Number("samples", jank.facts.samples);
  if (jank.tree != nullptr) json.Number("first_sample_ms", FirstSampleMs(*jank.tree));
  AddSampling(&json);
  // Who sleeps writes none.
  json.Text("group", cohort::kSampled, kMaxTextBytes);
  if (!setup_.config->rules.empty() && !Omits(Part::kContext))
    json.Text("rules", setup_.config->rules, kMaxNameBytes);
  if (!stack->empty()) AddStack(wall_ms, *setup_.names, stack, &json);
  return json.members();
}

void JankStore::AddSampling(JsonText* json) const {
  const bool is_on = sampling_.empty() || sampling_.starts_with("on, ");
  if (is_on && setup_.trouble != nullptr && !setup_.trouble->empty())
    json->Text("samplerOff", *setup_.trouble, kMaxNameBytes);
  else if (!sampling_.empty())
    json->Text(is_on ? "watchdog" : "samplerOff", sampling_, kMaxNameBytes);
}

// Returns how long until it may be written.
uint64_t JankStore::Write(uint64_t now_ns, JankCluster* cluster) {
  const bool hurries = hurries_.load(std::memory_order_relaxed);
  if (!hurries && now_ns < cluster->due_ns) return cluster->due_ns - now_ns;
  cluster->due_ns = now_ns + kGapNs;
  const config::Config& config = *setup_.config;
  const auto now_s = static_cast<int64_t>(core::CpuClockNs(CLOCK_REALTIME) / os::kNsPerSecond);
  const SpoolLimits limits = {config.jank_files, uint64_t{config.jank_kib_per_day} * 1024};
  switch (WriteToSpool(config.dump_dir, cluster->path(), cluster->Text(), limits, now_s)) {
    case SpoolResult::kBusy:
      // Who has it may be stopped: nobody is woken for that for ever.
      return ++cluster->busy % kMostBusy == 0 ? UINT64_MAX : kBusyNs;
    case SpoolResult::kDayOver:
      ++writes_held_;
      // Nobody is there tomorrow.
      if (hurries) cluster->is_behind = false;
      cluster->due_ns = now_ns + static_cast<uint64_t>(kDayS - now_s % kDayS) * os::kNsPerSecond;
      return cluster->due_ns - now_ns;
    case SpoolResult::kFailed:
      if (failed_writes_++ == 0)
        os::Log("the record of a jank, %s, is not written: %s", cluster->path().c_str(),
                strerror(errno));
      return UINT64_MAX;  // tried again when the collector is awake for something else
    case SpoolResult::kWritten: break;
  }
  ++writes_;
  cluster->busy = 0;
  cluster->is_behind = false;
  // What processes left that were killed while they wrote.
  os::KeepNewestFiles(config.dump_dir, kRecordPrefix, ".part", kMaxParts);
  if (setup_.written != nullptr) setup_.written(setup_.argument, cluster->path());
  return UINT64_MAX;
}

uint64_t JankStore::Serve(uint64_t now_ns) {
  uint64_t next_ns = UINT64_MAX;
  bool is_behind = false;
  // What is not written when it is switched off never is.
  if (!setup_.config->janks || !setup_.config->enabled)
    for (auto& cluster : clusters_) cluster.reset();
  for (const auto& cluster : clusters_) {
    if (cluster == nullptr || !cluster->is_behind) continue;
    next_ns = std::min(next_ns, Write(now_ns, cluster.get()));
    is_behind |= cluster->is_behind;
  }
  is_behind_.store(is_behind, std::memory_order_relaxed);
  rounds_.fetch_add(1, std::memory_order_release);
  return next_ns;
}

void JankStore::Describe(std::vector<model::NamedCount>* counters) const {
  if (setup_.config == nullptr || (!setup_.config->janks && janks_ == 0)) return;
  counters->push_back({"janks", janks_});
  counters->push_back({"janks_lost", janks_lost_});
  counters->push_back({"jank_records_written", writes_});
  counters->push_back({"jank_records_failed", failed_writes_});
  counters->push_back({"jank_records_held", writes_held_});
}

}  // namespace stillframe::jank
