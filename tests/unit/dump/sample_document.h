// SPDX-License-Identifier: Apache-2.0
// Documents with something in every field, and their whole content as text to compare.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <stillframe/token.h>

#include "src/model/document.h"
#include "tests/unit/dump/sample_sections.h"
#include "tests/unit/model/random_stacks.h"

namespace stillframe::dump {

inline model::Message SampleMessage(uint64_t token) {
  model::Message message;
  message.token = Token{token};
  message.start_ns = 123'456'789'000 + token;
  message.wait_ns = token % 2 == 0 ? model::kTimeUnknown : 15'000'000;
  message.wall_ns = 1'700'000'000;
  message.cpu_ns = -42;
  message.samples = 165;
  message.flags = model::kMessageHasTree | model::kMessageThrew;
  message.what = -7;
  message.target = "com.example.Checkout$PayHandler";
  message.callback = token % 3 == 0 ? "" : "com.example.-$$Lambda$\xff\xc0\x80<b>";
  return message;
}

inline model::Document WithTrees(uint32_t seed, uint32_t samples) {
  model::Document d;
  d.format_version = 1;
  d.trigger = model::Trigger::kSigquit;
  d.sequence = 2;
  d.taken_monotonic_ns = 0xFFFF'FFFF'FFFF'FFFF;
  d.taken_realtime_ns = 1'700'000'000'000'000'000;
  d.identity = {"com.example.shop", 4711,    10'123, "x86_64",   "11",
                "00ff17",           "0.1.0", "on",   "observer", 987'654'321};
  d.configuration = {{"interval_ms", "10"}, {"slow_ms", "50"}, {"", ""}};
  d.slow_ns = 50'000'000;  // as that list has it
  d.counters = {{"samples", 1000}, {"drops_ring_full", 0}, {"handler_time_ns", UINT64_MAX}};
  d.history = {SampleMessage(1), SampleMessage(2), SampleMessage(3)};
  d.history_lost = 9;
  d.running = SampleMessage(17);
  d.pending_source = "mMessages";
  d.pending = {{-12'000, 159, false, false, "android.app.ActivityThread$H", "", -1, "", ""},
               {0, 0, true, true, "", "", -1, "", ""},
               {INT64_MAX, INT32_MIN, true, false, "a.B", "a.C", -1, "", ""}};
  // Frames that no tree names, so that ids in the file are sparse.
  for (int32_t i = 0; i < 80; ++i) {
    const std::string number = std::to_string(i % 13);
    d.frames.InternFrame("com.example.Class" + number, i % 7 == 0 ? "<init>" : "run" + number,
                         i % 5 == 0 ? "" : "(I)V", i % 4 == 0 ? "" : "Class" + number + ".java",
                         i % 9 == 0 ? model::kLineNative : i, static_cast<model::FrameKind>(i % 5));
  }
  for (uint32_t tree = 0; tree < 3; ++tree) {
    model::RandomStacks random(seed + tree, {.frames = 60, .max_depth = 9});
    d.trees.emplace_back(Token{tree == 2 ? 17 : tree + 1}, model::TreeLimits{64, 1024});
    for (uint32_t i = 0; i < samples * (tree + 1); ++i) {
      const auto sample = random.NextSample();
      d.trees.back().Add(random.Next(), sample);
    }
    d.trees.back().CloseAt(2'000'000);
  }
  return d;
}

inline void AddSampleHistory(model::Document* d) {
  model::Looper main = {"main", 4711, "observer", 123'456, std::nullopt};
  model::Looper worker = {"worker <b>", 4720, "printer", 7, SampleMessage(99)};
  worker.running->looper = 1;
  d->loopers = {main, worker};
  model::HistoryGroup mixed;
  mixed.kind = model::SpanKind::kMixed;
  mixed.start_ns = 5'000'000'000;
  mixed.span_ns = 1'400'000'000;
  mixed.wall_ns = 310'000'000;
  mixed.cpu_ns = 42;
  mixed.messages = 77;
  mixed.tokens = {Token{1}, Token{2}, Token{UINT64_MAX}};
  model::HistoryGroup idle;
  idle.looper = 1;
  idle.kind = model::SpanKind::kIdle;
  idle.wall_ns = UINT64_MAX;
  d->groups = {mixed, idle};
  d->groups_lost = 12;
  model::HistoryRecord quick;
  quick.kind = model::SpanKind::kQuick;
  quick.start_ns = 17;
  quick.span_ns = 5;
  quick.wall_ns = 3;
  quick.messages = 1000;
  quick.token = Token{3};
  quick.what = INT32_MIN;
  quick.target = "a.B";
  quick.callback = "\xff";
  quick.system_name = "SERVICE_ARGS";
  d->records = {quick, model::HistoryRecord()};
  d->records_lost = 1;
  model::Jank jank;
  jank.refresh_interval_ns = 16'666'667;
  jank.frames = 600;
  jank.missed = 55;
  jank.watched_ns = 30'000'000'000;
  jank.frozen = {{Token{17}, 5, 701'000'000, model::FrameStage::kTraversal, "Checkout"}};
  jank.scenes = {{"Checkout", 20'000'000'000, 701'000'000, 400, 50}, {"", 1, 0, 0, 0}};
  d->jank = jank;
}

inline void AddSampleContext(model::Document* d) {
  using State = model::ContextEntry::State;
  d->context = {
      {"device", "cores", State::kNumber, "", 8},
      {"memory", "rss_bytes", State::kNumber, "", INT64_MIN},
      {"device", "model", State::kText, "Pixel; <i>", 0},
      {"cpu", "system_busy_permille", State::kAbsent, "/proc/stat: Permission denied", 0}};
  d->threads = {"", 40, {}};
  d->threads->rows = {
      {4711, "main", 'R', 900, 100, 1000, -10, 0},
      {4720, "\x01", 'D', model::kTimeUnknown, model::kTimeUnknown, 0, 19, model::kTimeUnknown}};
  d->annotations = {"CheckoutActivity", 77, {{"battery", "15 %", 76}, {"", "", 0}}};
  d->signal_catcher = {"the socket of tombstoned", "", 100'000,
                       "----- pid 4711 at\n\"main\" prio=5"};
}

// Without stacks of threads, native frames, locks and sections.
inline model::Document BasicSampleDocument(uint32_t seed, uint32_t samples = 40) {
  model::Document d = WithTrees(seed, samples);
  d.trigger_detail = "head of the queue late by 12,000 ms";
  d.trigger_confirmed = "late message";
  d.history[1].looper = 1;
  d.history[1].runqueue_wait_ns = 5;
  d.history[1].blocked_ns = 600'000'000;
  d.history[1].lock_owner_tid = 4720;
  d.history[1].lock_owner = "worker <b>";
  d.running->system_name = "RECEIVER";
  d.running->stage = model::FrameStage::kTraversal;
  d.pending[0].system_name = "EXIT_APPLICATION";
  d.pending[1].age_ms = 31'000;
  d.pending_total = 4'000;
  AddSampleHistory(&d);
  AddSampleContext(&d);
  return d;
}

// Frames that no tree names are among those of the stacks.
inline void AddSampleStacks(model::Document* d) {
  d->thread_stacks = {"", 41, 123'456, 7'000'000, {}};
  model::ThreadStack main;
  main.tid = 4711;
  main.name = "main";
  main.source = model::StackSource::kStoodStill;
  main.state = model::ThreadState::kBlocked;
  main.cpu_ns = 77;
  main.wait = model::WaitKind::kMonitor;
  main.wait_class = "com.example.Store";
  main.wait_object = UINT32_MAX;
  main.wait_tid = 4720;
  main.frames = {3, 79, 3, 0};
  model::ThreadStack other;
  other.tid = 4720;
  other.name = "\x01";
  other.absent = "not reached";
  d->thread_stacks->stacks = {main, other};
}

inline void AddSampleNative(model::Document* d) {
  d->modules = {{"/lib/libc.so.6", "00ff17", 0x7f00'0000'1000, 0x7f00'0020'0000, 0x7f00'0000'0000},
                {"/data/app/base.apk!libshop.so", "", UINT64_MAX - 1, UINT64_MAX, 0}};
  std::vector<model::ThreadStack>& stacks = d->thread_stacks->stacks;
  stacks[0].native = {{1, 0xe0d17, "clock_nanosleep", "", false},
                      {2, 0x77, "", "", false},
                      {0, UINT64_MAX, "_ZN1a1bEv", "a.cc:12", true}};
  stacks[0].native_is_truncated = true;
  stacks[1].native_absent = "it was about to run";
}

inline void AddSampleLocks(model::Document* d) {
  d->history[1].lock_waits = {{0, 5'000, 5'000, 4720, "worker <b>", "com.example.Store"},
                              {4'000, UINT32_MAX, 17, 4721, "", ""}};
  d->running->lock_waits = {{7, 6, UINT32_MAX, 0, "\x01", "\xff"}};
  d->thread_stacks->stacks[1].wait = model::WaitKind::kClassInit;
}

// A thread with a tree, and one without.
inline void AddSampleThreads(uint32_t seed, model::Document* d) {
  model::RandomStacks random(seed + 3, {.frames = 60, .max_depth = 9});
  model::TraceTree& tree = d->thread_trees.emplace_back(Token{seed + 9'000});
  for (int i = 0; i < 4; ++i) {
    const auto sample = random.NextSample();
    tree.Add(random.Next(), sample);
  }
  d->other_threads = {
      {d->running->token, Token{seed + 9'000}, 4720, "worker <b>", model::ThreadRole::kEndsTheWait,
       250'000, 950'000, 700'000, 690'000, 4, 0, ""},
      {d->running->token, Token::kNone, 4721, "\x01", model::ThreadRole::kUsedCpu, 1, UINT32_MAX, 7,
       UINT32_MAX, 0, 3, "it blocks SIGPROF"}};
}

inline model::Document SampleDocument(uint32_t seed, uint32_t samples = 40) {
  model::Document d = BasicSampleDocument(seed, samples);
  AddSampleStacks(&d);
  AddSampleNative(&d);
  AddSampleLocks(&d);
  AddSampleSections(&d);
  AddSampleThreads(seed, &d);
  d.system_reason = "ANR Broadcast of Intent { act=SYNC flg=0x10000010 cmp=com.example/.Sync }";
  d.system_component = "com.example/.Main";
  return d;
}

inline void AddText(const model::Message& m, std::ostream& out) {
  out << NumberOf(m.token) << ' ' << m.start_ns << ' ' << m.wait_ns << ' ' << m.wall_ns << ' '
      << m.cpu_ns << ' ' << m.samples << ' ' << m.flags << ' ' << m.what << ' ' << m.target << ' '
      << m.callback << ' ' << m.looper << ' ' << m.runqueue_wait_ns << ' ' << m.blocked_ns << ' '
      << m.system_name << ' ' << static_cast<int>(m.stage) << ' ' << m.lock_owner_tid << ' '
      << m.lock_owner << '\n';
  for (const model::LockWait& w : m.lock_waits)
    out << w.from_us << ' ' << w.until_us << ' ' << w.blocked_us << ' ' << w.owner_tid << ' '
        << w.owner << ' ' << w.lock_class << '\n';
}

inline std::string HistoryPieces(const model::Document& d, int which) {
  std::ostringstream out;
  if (which == 0) {
    for (const model::Looper& looper : d.loopers) {
      out << looper.thread << ' ' << looper.tid << ' ' << looper.tap << ' ' << looper.messages;
      if (looper.running) AddText(*looper.running, out << ' ');
    }
  } else if (which == 1) {
    out << d.groups_lost;
    for (const model::HistoryGroup& g : d.groups) {
      out << '\n'
          << g.looper << ' ' << static_cast<int>(g.kind) << ' ' << g.start_ns << ' ' << g.span_ns
          << ' ' << g.wall_ns << ' ' << g.cpu_ns << ' ' << g.messages;
      for (const Token token : g.tokens) out << ' ' << NumberOf(token);
    }
  } else {
    out << d.records_lost;
    for (const model::HistoryRecord& r : d.records) {
      out << '\n'
          << r.looper << ' ' << static_cast<int>(r.kind) << ' ' << r.start_ns << ' ' << r.span_ns
          << ' ' << r.wall_ns << ' ' << r.cpu_ns << ' ' << r.messages << ' ' << NumberOf(r.token)
          << ' ' << r.what << ' ' << r.target << ' ' << r.callback << ' ' << r.system_name;
    }
  }
  return out.str();
}

inline std::string JankText(const model::Document& d) {
  std::ostringstream out;
  if (d.jank) {
    out << d.jank->absent << ' ' << d.jank->refresh_interval_ns << ' ' << d.jank->frames << ' '
        << d.jank->missed << ' ' << d.jank->watched_ns << ' ' << d.jank->due_unknown;
    for (const model::FrozenFrame& f : d.jank->frozen) {
      out << '\n'
          << NumberOf(f.token) << ' ' << f.start_ns << ' ' << f.duration_ns << ' '
          << static_cast<int>(f.stage) << ' ' << f.scene;
    }
    for (const model::SceneShare& s : d.jank->scenes) {
      out << '\n'
          << s.scene << ' ' << s.shown_ns << ' ' << s.frozen_ns << ' ' << s.frames << ' '
          << s.missed;
    }
  }
  return out.str();
}

inline std::string StacksText(const model::ThreadStacks& all, const model::FrameTable& frames) {
  std::ostringstream out;
  out << all.absent << ' ' << all.threads << ' ' << all.begin_ns << ' ' << all.duration_ns;
  for (const model::ThreadStack& s : all.stacks) {
    out << '\n'
        << s.tid << ' ' << s.name << ' ' << static_cast<int>(s.source) << ' ' << s.absent << ' '
        << static_cast<int>(s.state) << ' ' << s.cpu_ns << ' ' << static_cast<int>(s.wait) << ' '
        << s.wait_class << ' ' << s.wait_object << ' ' << s.wait_tid;
    for (const model::FrameId id : s.frames)
      out << ' ' << frames.ClassName(id) << '.' << frames.MethodName(id) << ':'
          << frames.At(id).line;
    out << ' ' << s.native_absent << ' ' << s.native_is_truncated;
    for (const model::NativeFrame& n : s.native)
      out << ' ' << n.module << '+' << n.address << n.symbol << n.place << n.is_inlined;
  }
  return out.str();
}

inline std::string ModulesText(const model::Document& d) {
  std::ostringstream out;
  for (const model::Module& m : d.modules)
    out << m.path << ' ' << m.build_id << ' ' << m.begin << ' ' << m.end << ' ' << m.bias << '\n';
  return out.str();
}

inline std::string ContextPieces(const model::Document& d, int which) {
  std::ostringstream out;
  if (which == 0) {
    for (const model::ContextEntry& e : d.context) {
      out << e.group << ' ' << e.name << ' ' << static_cast<int>(e.state) << ' ' << e.text << ' '
          << e.number << '\n';
    }
  } else if (which == 1 && d.threads) {
    out << d.threads->absent << ' ' << d.threads->threads;
    for (const model::ThreadRow& t : d.threads->rows) {
      out << '\n'
          << t.tid << ' ' << t.name << ' ' << t.state << ' ' << t.user_ms << ' ' << t.system_ms
          << ' ' << t.interval_ms << ' ' << t.nice << ' ' << t.runqueue_wait_ms;
    }
  } else if (which == 2) {
    out << d.annotations.scene << ' ' << d.annotations.scene_since_ns;
    for (const model::Annotation& a : d.annotations.entries)
      out << '\n' << a.name << ' ' << a.value << ' ' << a.set_ns;
  } else if (which == 3 && d.signal_catcher) {
    out << d.signal_catcher->source << ' ' << d.signal_catcher->absent << ' '
        << d.signal_catcher->full_bytes << ' ' << d.signal_catcher->text;
  }
  return out.str();
}

inline std::string TreeText(const model::TraceTree& tree, const model::FrameTable& frames) {
  std::ostringstream out;
  out << "tree " << NumberOf(tree.token()) << ' ' << tree.interval_scale() << ' '
      << tree.samples_added() << ' ' << tree.truncated_stacks() << '\n';
  tree.ForEachStack([&](uint32_t, std::span<const model::FrameId> stack, const model::Sample& s) {
    out << s.wall_us << ' ' << s.weight_us << ' ' << s.cpu_us << ' ' << static_cast<int>(s.state);
    for (model::FrameId id : stack) {
      const model::Frame& frame = frames.At(id);
      out << ';' << frames.String(frame.class_name) << '.' << frames.String(frame.method_name)
          << frames.String(frame.source_file) << frames.String(frame.signature) << frame.line
          << static_cast<int>(frame.kind);
    }
    out << '\n';
  });
  return out.str();
}

// The content, piece by piece: one entry for each section that a file has.
inline std::vector<std::string> Pieces(const model::Document& d) {
  std::vector<std::ostringstream> out(7);
  const model::Identity& id = d.identity;
  out[0] << id.process_name << ' ' << id.pid << ' ' << id.uid << ' ' << id.abi << ' '
         << id.art_release << ' ' << id.art_build_id << ' ' << id.profiler_version << ' '
         << id.sampler_state << ' ' << id.tap << ' ' << id.process_start_ns;
  out[1] << static_cast<int>(d.trigger) << ' ' << d.sequence << ' ' << d.taken_monotonic_ns << ' '
         << d.taken_realtime_ns << ' ' << d.trigger_detail << ' ' << d.trigger_confirmed << ' '
         << d.system_reason << ' ' << d.system_component;
  for (const model::NamedText& entry : d.configuration)
    out[2] << entry.name << '=' << entry.value << '\n';
  out[2] << d.slow_ns << ' ' << d.interval_ns << '\n';
  for (const model::NamedCount& counter : d.counters)
    out[3] << counter.name << '=' << counter.value << '\n';
  if (d.running) AddText(*d.running, out[4]);
  out[5] << d.history_lost << '\n';
  for (const model::Message& message : d.history) AddText(message, out[5]);
  out[6] << d.pending_source << ' ' << d.pending_absent << ' ' << d.pending_total << ' '
         << d.pending_is_truncated << '\n';
  for (const model::PendingMessage& m : d.pending) {
    out[6] << m.delay_ms << ' ' << m.what << ' ' << m.is_asynchronous << m.is_barrier << ' '
           << m.target << ' ' << m.callback << ' ' << m.age_ms << ' ' << m.system_name;
    if (!m.component.empty()) out[6] << ' ' << m.component;
    if (m.object) {
      out[6] << ' ' << m.object->arg1 << ' ' << m.object->arg2 << ' ' << m.object->type << ' '
             << m.object->text;
    }
    out[6] << '\n';
  }
  std::vector<std::string> pieces;
  for (const std::ostringstream& piece : out) pieces.push_back(piece.str());
  for (int which = 0; which < 3; ++which) pieces.push_back(HistoryPieces(d, which));
  pieces.push_back(JankText(d));
  for (int which = 0; which < 4; ++which) pieces.push_back(ContextPieces(d, which));
  pieces.push_back(ModulesText(d));
  pieces.push_back(SectionsText(d));
  std::ostringstream others;
  for (const model::OtherThread& each : d.other_threads)
    others << NumberOf(each.during) << ' ' << NumberOf(each.tree) << ' ' << each.tid << ' '
           << each.name << ' ' << static_cast<int>(each.role) << ' ' << each.from_us << ' '
           << each.until_us << ' ' << each.followed_us << ' ' << each.cpu_us << ' ' << each.looks
           << ' ' << each.missed << ' ' << each.absent << '\n';
  pieces.push_back(others.str());
  if (d.thread_stacks) pieces.push_back(StacksText(*d.thread_stacks, d.frames));
  for (const model::TraceTree& tree : d.trees) pieces.push_back(TreeText(tree, d.frames));
  for (const model::TraceTree& tree : d.thread_trees) pieces.push_back(TreeText(tree, d.frames));
  return pieces;
}

// A folder that goes away with the test.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "stillframe-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string File(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }
  size_t Files() const {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(path_),
                                             std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path_;
};

inline std::vector<uint8_t> FileBytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace stillframe::dump
