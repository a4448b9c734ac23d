// SPDX-License-Identifier: Apache-2.0
// Writes a made-up fleet: records of hangs and sessions as devices write them, with the truth about
// them. Shares no code with tools/stillframe.
//
//   make_fleet OUT [--records N] [--installs N] [--seed N] [--causes N] [--sessions N]
//     [--no-cause] [--no-owner-stacks] [--truth FILE] [--gzip] [--jobs N]
//
// OUT is a folder, or an archive if it ends in .tar. Equal arguments give equal bytes.
//
// The model:
//
// - Causes have weights 1/rank. Each has a kind, a message, callers and an own method. Messages,
//   callers, classes and the framework's methods are shared by several causes. No two causes have
//   the same own method. Times of waits of a cause are lognormal with sigma 1 and its own median;
//   those below 700 ms are drawn again.
// - There are four versions. From one to the next the lines of each class drift, and its lambdas
//   and anonymous classes get other numbers. The own method of some causes is inlined into its
//   caller in some versions: its frame is missing, and the time is the caller's. Below one caller
//   this is so for at most one cause. 15 % of the causes begin with a later version, 10 % end with
//   an earlier one.
// - A wait for a lock has the stacks of both threads, unless --no-owner-stacks: devices write only
//   the owner's name.
// - An install has a factor on the number of its hangs, lognormal with sigma 0.7 and mean 1. Its
//   times in the foreground are independent of the factor. 30 % of the installs get the next
//   version for the second half of their sessions.
// - Records of a cause arrive as a Poisson process of the time in the foreground. So the number of
//   records is about N, not exactly. A record is one hang, or in 10 % of cases 2 to 5.
// - One install makes 5 % of all records on average, half of them by one cause. It has version 1.3
//   and the mean time in the foreground.
// - All times in the foreground are longer if needed, so that hangs are at most 5 % of it for an
//   average install.
// - The other code of a message takes 5 to 30 % of a hang. Stacks of samples are drawn in runs.
// - --no-cause: each record has a class, method, message and callers of its own.
//
// The truth is JSON. "causes": what they are; "present": rates of an average install in versions
// that have the cause; "without_loud", "with_loud": expectations over the population, all versions
// together, per hour in the foreground. "records": the number of the cause by the record's id.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "src/dump/jank_record.h"
#include "src/dump/session_record.h"
#include "src/dump/writer.h"
#include "src/jank/json_text.h"
#include "src/model/dump.h"
#include "src/model/evil_stack.h"
#include "src/model/frame_table.h"
#include "src/model/trace_tree.h"
#include "tests/host/fleet_model.h"

namespace stillframe::fleet {
namespace {

constexpr uint64_t kNsPerMs = 1'000'000;
constexpr uint32_t kSlowMs = 50;
constexpr uint32_t kUnitUs = 1'000;
// As the device's: of a record without identity and facts, and the part of it for counts.
constexpr size_t kMostRecordBytes = 2'048 - 603;
constexpr size_t kMostEntries = 30;
constexpr const char* kPackage = "com.shop.app";
constexpr const char* kLibrary = "44ff0b13e7262c9a2b8c618505eed195bcdebe71";

[[noreturn]] void Fail(const std::string& what) {
  fprintf(stderr, "make_fleet: %s: %s\n", what.c_str(), strerror(errno));
  exit(1);
}

std::string Base64(std::span<const uint8_t> bytes) {
  constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  char* out = text.data();
  for (size_t i = 0; i < bytes.size(); i += 3, out += 4) {
    const size_t count = std::min<size_t>(bytes.size() - i, 3);
    uint32_t word = 0;
    for (size_t j = 0; j < 3; ++j) word = word << 8 | (j < count ? bytes[i + j] : 0U);
    for (size_t j = 0; j <= count; ++j) out[j] = kLetters[word >> (18 - 6 * j) & 63];
  }
  return text;
}

std::string Hex(uint64_t number, int digits) {
  char text[24];
  snprintf(text, sizeof text, "%0*llx", digits, static_cast<unsigned long long>(number));
  return text;
}

struct Said {
  std::vector<model::NamedText> annotations;
  dump::JankIdentity identity;
};

// Facts of a session's process, and what its application annotated.
Said SaidBy(const Fleet& fleet, const PlannedSession& session) {
  constexpr const char* kThermal[] = {"none", "light", "moderate"};
  constexpr const char* kNetwork[] = {"wifi", "cellular", "none"};
  const Install& install = fleet.installs[session.install];
  const Device& device = fleet.devices[install.device];
  Rng rng(SeedOf(session.start_ms, session.pid));
  const std::string version = "1." + std::to_string(session.version);
  const std::string build_id =
      Hex(SeedOf(7, static_cast<uint64_t>(install.api_level)), 16) + "0a1b2c3d4e5f60718293a4b5";
  Said said;
  said.annotations = {{"version_name", version},
                      {"map_id", Hex(SeedOf(9, static_cast<uint64_t>(session.version)), 16)},
                      {"battery", std::to_string(5 + rng.Below(95))},
                      {"thermal", kThermal[std::min(rng.Below(3), rng.Below(3))]},
                      {"network", kNetwork[std::min(rng.Below(3), rng.Below(3))]}};
  said.identity.known = {{"install", install.id},
                         {"package", kPackage},
                         said.annotations[0],
                         {"version_code", std::to_string(100 + 10 * session.version)},
                         said.annotations[1],
                         {"model", device.model},
                         {"api_level", std::to_string(install.api_level)},
                         {"security_patch", "2026-0" + std::to_string(1 + rng.Below(8)) + "-05"},
                         {"emulator", "0"},
                         {"abi", "arm64"},
                         {"art_build_id", build_id},
                         {"library_build_id", kLibrary},
                         {"oom_score_adj", "0"},
                         {"cohort", "sampled, control_percent 0"},
                         said.annotations[2],
                         said.annotations[3],
                         said.annotations[4]};
  return said;
}

// Renders records one after another, with a table of frames for each, as equal records are to be
// equal bytes.
class Renderer {
 public:
  explicit Renderer(const Fleet& fleet, bool has_owner_stacks)
      : fleet_(fleet), has_owner_stacks_(has_owner_stacks) {}

  std::string Record(const PlannedRecord& planned);
  std::string Session(const PlannedSession& session, uint64_t written_bytes) const;

 private:
  struct Hang {
    const PlannedRecord& planned;
    const PlannedSession& session;
    const Cause& cause;
    const Variant& variant;
    uint64_t end_ms;       // since 1970
    uint64_t end_mono_ns;  // CLOCK_MONOTONIC
  };

  void FillTree(const Hang& hang, Rng* rng, model::Message* message);
  std::vector<model::HistoryRecord> Before(const Hang& hang, uint64_t start_ns, Rng* rng) const;
  std::string Facts(const Hang& hang, const model::Message& message,
                    const std::vector<model::HistoryRecord>& before, const Said& said, Rng* rng);
  void AddContext(const Hang& hang, Rng* rng, std::vector<model::ContextEntry>* context) const;
  void AddThreads(const Hang& hang, Rng* rng, model::Dump* dump) const;
  void AddOwnerStacks(const Hang& hang, const model::Message& message, model::Dump* dump);
  void AddStack(uint32_t wall_ms, jank::JsonText* json);

  model::FrameId Intern(const Method& method) {
    return names_->InternFrame(method.type, method.name, method.signature, method.file, method.line,
                               method.kind);
  }

  const Fleet& fleet_;
  bool has_owner_stacks_;
  dump::Writer writer_;
  std::unique_ptr<model::FrameTable> names_;
  model::TraceTree tree_;
  dump::EncodedTree encoded_;
  std::vector<uint8_t> bytes_;
};

const Stack& Draw(const std::vector<Stack>& stacks, const std::vector<double>& weights, Rng* rng) {
  double at = rng->Unit() * weights.back();
  for (size_t i = 0; i + 1 < stacks.size(); ++i)
    if (at < weights[i]) return stacks[i];
  return stacks.back();
}

// The weights of one hang differ from the cause's.
std::vector<double> Sums(const std::vector<Stack>& stacks, Rng* rng) {
  std::vector<double> sums;
  sums.reserve(stacks.size());
  double sum = 0;
  for (const Stack& stack : stacks)
    sums.push_back(sum += stack.weight * std::exp(0.4 * rng->Normal()));
  return sums;
}

void Renderer::FillTree(const Hang& hang, Rng* rng, model::Message* message) {
  const uint32_t wall_us = hang.planned.longest_ms * 1'000;
  const Variant& variant = hang.variant;
  const std::vector<double> main_sums = Sums(variant.main, rng);
  const std::vector<double> noise_sums = Sums(variant.noise, rng);
  const double noise = 0.05 + 0.25 * rng->Unit();
  const uint32_t samples = 20 + rng->Below(41);
  constexpr uint32_t kFirstUs = kSlowMs * 1'000;
  const uint32_t step_us = (wall_us - kFirstUs) / samples;
  std::vector<model::FrameId> ids(variant.methods.size(), UINT32_MAX);
  std::vector<model::FrameId> frames;
  tree_.Reset(message->token);
  uint32_t before_us = 0;
  double cpu_us = 0;
  uint64_t blocked_us = 0;
  model::LockWait wait;
  wait.from_us = UINT32_MAX;
  const Stack* stack = nullptr;
  for (uint32_t i = 0, left = 0; i < samples; ++i, --left) {
    if (left == 0) {
      const bool is_noise = rng->Chance(noise);
      stack =
          &(is_noise ? Draw(variant.noise, noise_sums, rng) : Draw(variant.main, main_sums, rng));
      left = 1 + rng->Below(4);
      frames.clear();
      for (const uint16_t method : stack->methods) {
        if (ids[method] == UINT32_MAX) ids[method] = Intern(variant.methods[method]);
        frames.push_back(ids[method]);
      }
    }
    const uint32_t at_us = kFirstUs + i * step_us + rng->Below(step_us / 4 + 1);
    const uint32_t weight_us = at_us - before_us;
    const bool runs = stack->state == model::ThreadState::kRunnable;
    cpu_us += (runs ? 0.93 : 0.01) * weight_us;
    tree_.Add(frames, {at_us, weight_us, static_cast<uint32_t>(cpu_us), stack->state});
    if (stack->state == model::ThreadState::kBlocked) {
      wait.from_us = std::min(wait.from_us, before_us);
      wait.until_us = at_us;
      blocked_us += weight_us;
    }
    before_us = at_us;
  }
  // The time after the last sample counts for none: a device writes the record before that.
  message->samples = samples;
  message->cpu_ns = static_cast<int64_t>(cpu_us * 1'000);
  message->runqueue_wait_ns = static_cast<int64_t>(rng->Below(30)) * 1'000'000;
  message->blocked_ns = static_cast<int64_t>(blocked_us * 1'000);
  if (blocked_us == 0) return;
  wait.blocked_us = static_cast<uint32_t>(blocked_us);
  wait.owner_tid = hang.session.pid + 17;
  wait.owner = hang.cause.owner;
  wait.lock_class = hang.cause.lock_class;
  message->lock_owner_tid = wait.owner_tid;
  message->lock_owner = wait.owner;
  message->lock_waits.push_back(std::move(wait));
}

// The half second before, oldest first.
std::vector<model::HistoryRecord> Renderer::Before(const Hang& hang, uint64_t start_ns,
                                                   Rng* rng) const {
  constexpr const char* kTargets[] = {"android.view.Choreographer$FrameHandler",
                                      "android.app.ActivityThread$H", "android.os.Handler"};
  constexpr const char* kCallbacks[] = {"android.view.Choreographer$FrameDisplayEventReceiver", "",
                                        "com.shop.base.Ticker"};
  std::vector<model::HistoryRecord> before;
  const uint32_t count = 2 + rng->Below(3);
  uint64_t end_ns = start_ns;
  for (uint32_t i = 0; i < count; ++i) {
    model::HistoryRecord record;
    const bool is_idle = rng->Chance(0.3);
    const uint32_t which = rng->Below(3);
    record.kind = is_idle ? model::SpanKind::kIdle : model::SpanKind::kQuick;
    record.span_ns = (20 + rng->Below(120)) * kNsPerMs + rng->Below(1'000'000);
    record.start_ns = end_ns - record.span_ns;
    end_ns = record.start_ns;
    if (!is_idle) {
      record.wall_ns = record.span_ns / 2;
      record.cpu_ns = static_cast<int64_t>(record.wall_ns / 2);
      record.messages = 1 + rng->Below(40);
      record.token = Token{hang.planned.token - 1 - i};
      record.target = kTargets[which];
      record.callback = kCallbacks[which];
    }
    before.insert(before.begin(), std::move(record));
  }
  return before;
}

std::string LinesBefore(const std::vector<model::HistoryRecord>& before) {
  constexpr size_t kMostName = 48;
  std::string lines;
  for (auto record = before.rbegin(); record != before.rend(); ++record) {
    const bool is_idle = record->kind == model::SpanKind::kIdle;
    std::string_view name = record->callback.empty() ? record->target : record->callback;
    name.remove_prefix(name.size() - std::min(name.size(), kMostName));
    lines.append(is_idle ? "idle," : "messages,")
        .append(std::to_string(is_idle ? 1 : record->messages))
        .append(",")
        .append(std::to_string(record->span_ns / kNsPerMs))
        .append(",")
        .append(name)
        .append("\n");
  }
  return lines;
}

void Renderer::AddContext(const Hang& hang, Rng* rng,
                          std::vector<model::ContextEntry>* context) const {
  const auto number = [context](const char* group, const char* name, uint64_t value) {
    context->push_back(
        {group, name, model::ContextEntry::State::kNumber, "", static_cast<int64_t>(value)});
  };
  const auto pressure = [context](const std::string& group) {
    for (const char* name : {"psi_some_avg10_permille", "psi_full_avg10_permille"})
      context->push_back({group, name, model::ContextEntry::State::kAbsent,
                          "/proc/pressure/" + group + ": Permission denied", 0});
  };
  const Device& device = fleet_.devices[fleet_.installs[hang.session.install].device];
  const bool reads = hang.cause.kind == Kind::kRead;
  for (const char* name : {"load_1min_milli", "load_5min_milli", "load_15min_milli"})
    number("cpu", name, 1'000 + rng->Below(7'000));
  pressure("cpu");
  number("cpu", "window_ms", 5'000 + rng->Below(30'000));
  number("cpu", "system_busy_permille", 200 + rng->Below(600));
  number("cpu", "system_iowait_permille", reads ? 60 + rng->Below(200) : rng->Below(30));
  number("cpu", "process_busy_permille", 100 + rng->Below(1'500));
  number("memory", "rss_bytes", uint64_t{100 + rng->Below(300)} << 20);
  number("memory", "swap_bytes", uint64_t{rng->Below(60)} << 20);
  number("memory", "available_bytes", device.memory_bytes / 100 * (10 + rng->Below(40)));
  number("memory", "total_bytes", device.memory_bytes);
  pressure("memory");
  number("memory", "minor_faults", rng->Below(20'000));
  number("memory", "major_faults", rng->Below(reads ? 400 : 20));
  number("io", "read_bytes", uint64_t{rng->Below(reads ? 40'000 : 800)} << 10);
  number("io", "written_bytes", uint64_t{rng->Below(800)} << 10);
  pressure("io");
}

void Renderer::AddThreads(const Hang& hang, Rng* rng, model::Dump* dump) const {
  constexpr const char* kNames[] = {
      "main", "RenderThread", "HeapTaskDaemon", "OkHttp Dispatch", "binder:1_3", "stillframe"};
  model::ThreadTable& table = dump->threads.emplace();
  table.threads = 30 + rng->Below(60);
  uint32_t offset = 0;
  for (const char* name : kNames) {
    model::ThreadRow row;
    row.tid = hang.session.pid + offset;
    row.name = name;
    row.state = rng->Chance(0.3) ? 'R' : 'S';
    row.user_ms = rng->Below(900) / (1 + offset);
    row.system_ms = row.user_ms / 4;
    row.interval_ms = 5'000;
    row.runqueue_wait_ms = rng->Below(60);
    table.rows.push_back(std::move(row));
    offset += 3;
  }
}

// The main thread at the end of the wait, and the thread that it waited for.
void Renderer::AddOwnerStacks(const Hang& hang, const model::Message& message, model::Dump* dump) {
  model::ThreadStacks& stacks = dump->thread_stacks.emplace();
  stacks.threads = dump->threads->threads;
  stacks.begin_ns = dump->taken_monotonic_ns - 2 * kNsPerMs;
  stacks.duration_ns = kNsPerMs;
  model::ThreadStack main;
  main.tid = hang.session.pid;
  main.name = "main";
  main.source = model::StackSource::kStoodStill;
  main.state = model::ThreadState::kBlocked;
  main.wait = model::WaitKind::kMonitor;
  main.wait_class = hang.cause.lock_class;
  main.wait_object = 1;
  main.wait_tid = message.lock_owner_tid;
  const std::vector<uint16_t>& methods = hang.variant.main[0].methods;
  for (auto method = methods.rbegin(); method != methods.rend(); ++method)
    main.frames.push_back(Intern(hang.variant.methods[*method]));
  model::ThreadStack owner;
  owner.tid = message.lock_owner_tid;
  owner.name = hang.cause.owner;
  owner.source = model::StackSource::kStoodStill;
  owner.state = model::ThreadState::kNative;
  for (const Method& method : hang.cause.owner_stack) owner.frames.push_back(Intern(method));
  stacks.stacks.push_back(std::move(main));
  stacks.stacks.push_back(std::move(owner));
}

std::string Renderer::Facts(const Hang& hang, const model::Message& message,
                            const std::vector<model::HistoryRecord>& before, const Said& said,
                            Rng* rng) {
  model::Dump dump;
  dump.trigger = model::Trigger::kLongMessage;
  dump.taken_monotonic_ns = hang.end_mono_ns + 2 * kNsPerMs;
  dump.taken_realtime_ns = hang.end_ms * kNsPerMs + rng->Below(1'000'000);
  dump.slow_ns = kSlowMs * kNsPerMs;
  dump.interval_ns = 10 * kNsPerMs;
  dump.history.push_back(message);
  dump.records = before;
  dump.annotations.scene = hang.cause.message.scene;
  dump.annotations.scene_since_ns = message.start_ns - rng->Below(60'000) * kNsPerMs;
  for (const model::NamedText& text : said.annotations)
    dump.annotations.entries.push_back({text.name, text.value, 5'000 * kNsPerMs});
  AddContext(hang, rng, &dump.context);
  AddThreads(hang, rng, &dump);
  if (has_owner_stacks_ && message.lock_owner_tid != 0) AddOwnerStacks(hang, message, &dump);
  std::vector<const dump::EncodedTree*> trees;
  if (writer_.EncodeTree(tree_, &encoded_, kUnitUs) != dump::Status::kOk) Fail("a tree");
  trees.push_back(&encoded_);
  if (!writer_.WriteBytes(dump, {names_.get(), trees}, &bytes_)) Fail("a dump");
  return Base64(bytes_);
}

void Renderer::AddStack(uint32_t wall_ms, jank::JsonText* json) {
  std::vector<model::EvilEntry> stack = model::EvilStackOf(tree_, *names_, wall_ms * 1'000);
  const uint32_t method = model::KeyOf(stack, wall_ms);
  const std::string key = std::to_string(method) + "|";
  model::Trim(wall_ms, kMostEntries, method, &stack);
  // As the device does, but without writing it again and again: entries go until the rest fits.
  std::map<uint32_t, std::string> names;
  for (const model::EvilEntry& entry : stack)
    if (std::string& name = names[entry.id]; name.empty()) name = model::NameOf(entry, *names_);
  for (;; model::DropOne(wall_ms, method, &stack)) {
    constexpr size_t kMostName = 160;
    std::string lines;
    std::vector<uint32_t> ids;
    size_t size = json->size() + key.size() + std::string_view(R"("stackKey":"",)").size();
    for (const model::EvilEntry& entry : stack) {
      for (const uint32_t number : {entry.depth, entry.id, entry.count, entry.ms})
        lines.append(std::to_string(number)).push_back(',');
      lines.back() = '\n';
      ++size;  // its end is escaped
      if (std::ranges::find(ids, entry.id) != ids.end()) continue;
      ids.push_back(entry.id);
      size += std::to_string(entry.id).size() + std::min(names[entry.id].size(), kMostName) +
              std::string_view(R"("":"",)").size();
    }
    if (!ids.empty())
      size += lines.size() + std::string_view(R"("stack":"","methods":{},)").size() - 1;
    if (!ids.empty() && size > kMostRecordBytes) continue;
    dump::JankStack described;
    described.key = key.c_str();
    if (!lines.empty()) described.lines = lines.c_str();
    for (const uint32_t id : ids) described.methods.push_back({std::to_string(id), names[id]});
    return Fields(*json, described);
  }
}

dump::JankCounts CountsOf(const PlannedRecord& planned, uint64_t end_ms) {
  dump::JankCounts counts;
  counts.count = planned.count;
  counts.total_ms = planned.total_ms;
  counts.last_time = end_ms;
  counts.first_time = end_ms - (planned.count > 1 ? planned.total_ms : 0);
  std::array<uint64_t, 11> buckets = {};
  const uint64_t others = planned.count - 1;
  const uint64_t rest_ms = planned.total_ms - planned.longest_ms;
  for (uint64_t i = 0; i < planned.count; ++i) {
    // Those but the longest are said to be equal.
    uint64_t ms = planned.longest_ms;
    if (i < others) ms = rest_ms / others + (i == 0 ? rest_ms % others : 0);
    counts.newest_ms.push_back(ms);
    size_t bucket = 0;
    while (bucket + 1 < buckets.size() && ms >= uint64_t{64} << (bucket + 1)) ++bucket;
    ++buckets[bucket];
  }
  for (size_t i = 0; i < buckets.size(); ++i)
    if (buckets[i] != 0) counts.histogram.push_back({std::to_string(64U << i), buckets[i]});
  return counts;
}

std::string Renderer::Record(const PlannedRecord& planned) {
  Rng rng(planned.seed);
  Cause fresh;
  if (planned.cause < 0) fresh = Fleet::FreshCause(rng.Next());
  const Cause& cause =
      planned.cause < 0 ? fresh : fleet_.causes[static_cast<size_t>(planned.cause)];
  const PlannedSession& session = fleet_.sessions[planned.session];
  const uint64_t before_ms =
      planned.total_ms +
      static_cast<uint64_t>(rng.Unit() * static_cast<double>(session.alive_ms - session.hang_ms));
  const Hang hang = {planned,
                     session,
                     cause,
                     cause.variants[static_cast<size_t>(session.version)],
                     session.start_ms + before_ms,
                     (uint64_t{3'600'000} + before_ms) * kNsPerMs + rng.Below(1'000'000)};
  constexpr model::FrameTableLimits kLimits = {
      .max_frames = 512, .max_strings = 1'024, .max_string_bytes = 64 * 1'024};
  names_ = std::make_unique<model::FrameTable>(kLimits);

  const uint64_t wall_ns = planned.longest_ms * kNsPerMs + rng.Below(1'000'000);
  model::Message message;
  message.token = Token{planned.token};
  message.start_ns = hang.end_mono_ns - wall_ns;
  message.wait_ns = static_cast<int64_t>(rng.Below(40) * kNsPerMs + rng.Below(1'000'000));
  message.wall_ns = static_cast<int64_t>(wall_ns);
  message.flags = model::kMessageHasTree;
  message.what = cause.message.what;
  message.target = cause.message.target;
  message.callback = hang.variant.callback;
  message.stage = cause.message.stage;
  if (message.target == model::kSystemTarget) message.system_name = "EXECUTE_TRANSACTION";
  FillTree(hang, &rng, &message);
  if (names_->overflows() != 0) Fail("a table of frames");

  const Said said = SaidBy(fleet_, session);
  const std::vector<model::HistoryRecord> before = Before(hang, message.start_ns, &rng);
  const std::string lines_before = LinesBefore(before);
  const uint64_t hundredths = static_cast<uint64_t>(message.cpu_ns) * 10'000 / wall_ns;
  char usage[24];
  snprintf(usage, sizeof usage, "%u.%02u%%", static_cast<unsigned>(hundredths / 100),
           static_cast<unsigned>(hundredths % 100));
  const Device& device = fleet_.devices[fleet_.installs[session.install].device];
  const auto ms = [](int64_t ns) { return ns / static_cast<int64_t>(kNsPerMs); };
  const dump::JankDescription description = {.process = kPackage,
                                             .time = hang.end_ms,
                                             .cost = planned.longest_ms,
                                             .usage = usage,
                                             .scene = cause.message.scene.c_str(),
                                             .priority = 10,
                                             .nice = -10,
                                             .is_foreground = true,
                                             .machine = device.machine,
                                             .memory_bytes = device.memory_bytes,
                                             .target = message.target.c_str(),
                                             .callback = message.callback.c_str(),
                                             .what = message.what,
                                             .stage = message.stage == model::FrameStage::kNone
                                                          ? dump::kNotThere
                                                          : static_cast<int64_t>(message.stage),
                                             .cpu_ms = ms(message.cpu_ns),
                                             .runqueue_wait_ms = ms(message.runqueue_wait_ns),
                                             .blocked_ms = ms(message.blocked_ns),
                                             .wait_ms = ms(message.wait_ns),
                                             .before = lines_before.c_str(),
                                             .samples = message.samples,
                                             .first_sample_ms = tree_.samples()[0].wall_us / 1'000,
                                             .group = "sampled"};
  jank::JsonText json;
  Fields(json, description);
  AddStack(planned.longest_ms, &json);
  Fields(json, said.identity);
  const std::string facts = Facts(hang, message, before, said, &rng);
  // Nothing in base64 is escaped, and this is faster.
  json.text().append("\"facts\":\"").append(facts).append("\",");
  Fields(json, CountsOf(planned, hang.end_ms));
  const std::string id = fleet_.IdOf(planned);
  Fields(json, dump::JankRevision{id.c_str(), planned.count, false, false, nullptr, {}});
  return json.Finish() + '\n';
}

std::string Renderer::Session(const PlannedSession& planned, uint64_t written_bytes) const {
  Rng rng(SeedOf(planned.start_ms, planned.pid + 1));
  const double foreground_s = static_cast<double>(planned.foreground_ms) / 1'000;
  dump::Session session;
  session.process = kPackage;
  session.time = planned.start_ms + planned.alive_ms;
  session.alive_ms = planned.alive_ms;
  session.foreground_ms = planned.foreground_ms;
  session.watched_ms = planned.alive_ms - std::min<uint64_t>(planned.alive_ms, 12);
  session.messages = static_cast<uint64_t>(foreground_s * (20 + 40 * rng.Unit()));
  session.janks = planned.hangs;
  session.jank_ms = planned.hang_ms;
  // Slow messages below the limit of hangs.
  const auto slow = static_cast<uint64_t>(foreground_s * 0.05 * rng.Unit());
  std::array<uint64_t, 11> buckets = {};
  const auto add = [&](uint64_t ms) {
    ++session.slow;
    session.slow_ms += ms;
    size_t bucket = 0;
    while (bucket + 1 < buckets.size() && ms >= uint64_t{64} << (bucket + 1)) ++bucket;
    buckets[bucket] += ms;
  };
  for (uint64_t i = 0; i < slow; ++i) add(kSlowMs + rng.Below(600));
  for (uint64_t i = 0; i < planned.records; ++i)
    for (const uint64_t ms :
         CountsOf(fleet_.records[planned.first_record + i], 1ULL << 40).newest_ms)
      add(ms);
  for (size_t i = 0; i < buckets.size(); ++i)
    if (buckets[i] != 0) session.slow_histogram.push_back({std::to_string(64U << i), buckets[i]});
  session.frames = static_cast<uint64_t>(foreground_s * (10 + 20 * rng.Unit()));
  session.frames_missed = session.frames / (20 + rng.Below(100)) + planned.hang_ms / 17;
  session.sampler = "on";
  session.group = "sampled";
  session.samples = session.slow_ms / 20;
  session.collector_cpu_ms = static_cast<uint64_t>(foreground_s * 1.2);
  session.handler_us = session.samples * 30;
  session.written_bytes = written_bytes;
  session.identity = SaidBy(fleet_, planned).identity;
  const std::string id = fleet_.IdOf(planned);
  session.id = id.c_str();
  session.revision = 5 + planned.alive_ms / 60'000;
  session.ended = rng.Chance(0.3) ? "exit" : "killed";
  jank::JsonText json;
  Fields(json, session);
  return json.Finish() + '\n';
}

std::string Gzip(const std::string& text) {
  z_stream stream = {};
  constexpr int kGzip = 15 + 16;
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    Fail("zlib");
  std::string out(deflateBound(&stream, text.size()), '\0');
  std::string in = text;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) Fail("zlib");
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// POSIX ustar.
struct TarHeader {
  char name[100];
  char mode[8];
  char uid[8];
  char gid[8];
  char size[12];
  char mtime[12];
  char checksum[8];
  char type;
  char link[100];
  char magic[6];
  char version[2];
  char user[32];
  char group[32];
  char major[8];
  char minor[8];
  char prefix[155];
  char padding[12];
};
static_assert(sizeof(TarHeader) == 512);

template <size_t N>
void PutOctal(uint64_t number, char (&field)[N]) {
  field[N - 1] = '\0';
  for (size_t i = N - 1; i-- > 0; number /= 8) field[i] = static_cast<char>('0' + number % 8);
}

void AppendToTar(const std::string& name, const std::string& text, uint64_t time_s,
                 std::string* tar) {
  TarHeader header = {};
  snprintf(header.name, sizeof header.name, "%s", name.c_str());
  PutOctal(0600, header.mode);
  PutOctal(0, header.uid);
  PutOctal(0, header.gid);
  PutOctal(text.size(), header.size);
  PutOctal(time_s, header.mtime);
  header.type = '0';
  memcpy(header.magic, "ustar", 6);
  memcpy(header.version, "00", 2);
  memset(header.checksum, ' ', sizeof header.checksum);
  uint64_t sum = 0;
  std::array<uint8_t, sizeof header> bytes;
  memcpy(bytes.data(), &header, sizeof header);
  for (const uint8_t byte : bytes) sum += byte;
  PutOctal(sum, header.checksum);
  tar->append(reinterpret_cast<const char*>(&header), sizeof header).append(text);
  tar->append((sizeof header - text.size() % sizeof header) % sizeof header, '\0');
}

struct Job {
  std::string out;
  std::string truth;
  bool is_gzipped = false;
  bool has_owner_stacks = true;
  unsigned threads = 1;
  Options options;
};

// Sessions are rendered in blocks, so that memory is bounded; a block's parts by several threads.
class Output {
 public:
  Output(const Job& job, const Fleet& fleet) : job_(job), fleet_(fleet) {
    is_tar_ = job.out.ends_with(".tar");
    if (is_tar_)
      file_ = fopen(job.out.c_str(), "wb");
    else if (mkdir(job.out.c_str(), 0777) != 0 && errno != EEXIST)
      Fail(job.out);
    if (is_tar_ && file_ == nullptr) Fail(job.out);
    for (unsigned i = 0; i < job.threads; ++i)
      renderers_.push_back(std::make_unique<Renderer>(fleet, job.has_owner_stacks));
  }

  void WriteAll() {
    constexpr size_t kBlock = 64;
    constexpr size_t kParts = 64;
    const size_t records = fleet_.records.size();
    bytes_of_session_.resize(fleet_.sessions.size());
    for (size_t first = 0; first < records; first += kBlock * kParts)
      WriteParts(first, std::min(first + kBlock * kParts, records), kBlock, false);
    for (size_t first = 0; first < fleet_.sessions.size(); first += kBlock * kParts)
      WriteParts(first, std::min(first + kBlock * kParts, fleet_.sessions.size()), kBlock, true);
    if (!is_tar_) return;
    const std::string end(1'024, '\0');
    if (fwrite(end.data(), 1, end.size(), file_) != end.size() || fclose(file_) != 0)
      Fail(job_.out);
  }

 private:
  struct Part {
    size_t begin;
    size_t end;
    std::string tar;
    std::vector<std::pair<uint32_t, uint64_t>> bytes;  // session, bytes of a record
  };

  void WriteParts(size_t first, size_t end, size_t size, bool are_sessions) {
    std::vector<Part> parts;
    for (; first < end; first += size)
      parts.push_back({first, std::min(first + size, end), {}, {}});
    std::atomic<size_t> next = 0;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < job_.threads; ++i)
      threads.emplace_back([this, &next, &parts, are_sessions, i] {
        for (size_t at = next++; at < parts.size(); at = next++)
          Render(are_sessions, renderers_[i].get(), &parts[at]);
      });
    for (std::thread& thread : threads) thread.join();
    for (const Part& part : parts) {
      if (is_tar_ && fwrite(part.tar.data(), 1, part.tar.size(), file_) != part.tar.size())
        Fail(job_.out);
      for (const auto& [session, bytes] : part.bytes) bytes_of_session_[session] += bytes;
    }
  }

  void Render(bool are_sessions, Renderer* renderer, Part* part) const {
    for (size_t i = part->begin; i < part->end; ++i) {
      if (are_sessions) {
        const PlannedSession& session = fleet_.sessions[i];
        Put("stillframe-session-" + fleet_.IdOf(session),
            renderer->Session(session, bytes_of_session_[i]), session.start_ms / 1'000, &part->tar);
        continue;
      }
      const PlannedRecord& record = fleet_.records[i];
      const std::string text = renderer->Record(record);
      part->bytes.push_back({record.session, text.size()});
      Put("stillframe-jank-" + fleet_.IdOf(record) + "-r" + std::to_string(record.count), text,
          fleet_.sessions[record.session].start_ms / 1'000, &part->tar);
    }
  }

  void Put(std::string name, const std::string& text, uint64_t time_s, std::string* tar) const {
    name += job_.is_gzipped ? ".json.gz" : ".json";
    const std::string& stored = job_.is_gzipped ? Gzip(text) : text;
    if (is_tar_) return AppendToTar(name, stored, time_s, tar);
    const std::string path = job_.out + "/" + name;
    WriteFile(path, stored);
  }

 public:
  static void WriteFile(const std::string& path, const std::string& text) {
    FILE* file = fopen(path.c_str(), "wb");
    if (file == nullptr || fwrite(text.data(), 1, text.size(), file) != text.size() ||
        fclose(file) != 0)
      Fail(path);
  }

 private:
  const Job& job_;
  const Fleet& fleet_;
  bool is_tar_ = false;
  FILE* file_ = nullptr;
  std::vector<std::unique_ptr<Renderer>> renderers_;
  std::vector<uint64_t> bytes_of_session_;
};

[[noreturn]] void Usage() {
  fputs(
      "make_fleet OUT [--records N] [--installs N] [--seed N] [--causes N] [--sessions N]\n"
      "  [--no-cause] [--no-owner-stacks] [--truth FILE] [--gzip] [--jobs N]\n",
      stderr);
  exit(2);
}

Job ParseJob(std::span<char* const> arguments) {
  Job job;
  job.threads = std::max(std::thread::hardware_concurrency(), 1U);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view name = arguments[i];
    const auto value = [&]() -> const char* {
      if (++i == arguments.size()) Usage();
      return arguments[i];
    };
    const auto number = [&]() -> uint64_t {
      char* end = nullptr;
      const char* text = value();
      const uint64_t parsed = strtoull(text, &end, 10);
      if (end == text || *end != '\0') Usage();
      return parsed;
    };
    if (name == "--records")
      job.options.records = number();
    else if (name == "--installs")
      job.options.installs = static_cast<uint32_t>(number());
    else if (name == "--seed")
      job.options.seed = number();
    else if (name == "--causes")
      job.options.causes = static_cast<uint32_t>(number());
    else if (name == "--sessions")
      job.options.sessions = static_cast<uint32_t>(number());
    else if (name == "--jobs")
      job.threads = std::max(static_cast<unsigned>(number()), 1U);
    else if (name == "--no-cause")
      job.options.has_causes = false;
    else if (name == "--no-owner-stacks")
      job.has_owner_stacks = false;
    else if (name == "--gzip")
      job.is_gzipped = true;
    else if (name == "--truth")
      job.truth = value();
    else if (name.starts_with("--") || !job.out.empty())
      Usage();
    else
      job.out = name;
  }
  if (job.out.empty()) Usage();
  return job;
}

}  // namespace
}  // namespace stillframe::fleet

int main(int count, char** arguments) {
  using namespace stillframe::fleet;
  const Job job = ParseJob({arguments + 1, static_cast<size_t>(std::max(count, 1) - 1)});
  const Fleet fleet(job.options);
  if (!job.truth.empty()) Output::WriteFile(job.truth, fleet.Truth());
  Output(job, fleet).WriteAll();
  printf("%zu records, %zu sessions\n", fleet.records.size(), fleet.sessions.size());
  return 0;
}
