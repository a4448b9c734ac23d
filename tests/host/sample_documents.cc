// SPDX-License-Identifier: Apache-2.0
#include "tests/host/sample_documents.h"

#include <gtest/gtest.h>

#include <charconv>
#include <span>

#include "src/dump/writer.h"
#include "tools/stillframe/judge/judge.h"
#include "tools/stillframe/render/html_report.h"

namespace stillframe::host_test {
namespace {

using model::FrameKind;
using model::ThreadState;
constexpr uint64_t kTakenNs = 90'000'000'000;

StackText Below(StackText outer, const StackText& inner) {
  outer.insert(outer.end(), inner.begin(), inner.end());
  return outer;
}

// Another thread while the message 9 waited.
void AddAnrThreads(model::Document* document) {
  TreeMaker other(document, 70'001);
  other.Add({"fixture.Backup.run:12", "fixture.Backup.pack:30"}, 6, 100'000);
  other.Add({"fixture.Backup.run:14", "java.io.FileInputStream.read:native"}, 3, 100'000,
            ThreadState::kNative);
  other.FinishThread();
  document->other_threads = {{Token{9}, Token{70'001}, 4719, "backup", model::ThreadRole::kUsedCpu,
                              0, 900'000, 900'000, 610'000, 9, 0, ""},
                             {Token{9}, Token::kNone, 4718, "camera", model::ThreadRole::kUsedCpu,
                              300'000, 900'000, 0, 200'000, 0, 6, "it blocks SIGPROF"}};
}

void AddAnrTrees(model::Document* document) {
  TreeMaker waiting(document, 9);
  waiting.Add(InMessage({"fixture.LockHandler.handleMessage:31", "fixture.Account.balance:58",
                         "java.lang.Object.wait:native"}),
              118, 10'000, ThreadState::kWaiting);
  waiting.Add(InMessage({"fixture.LockHandler.handleMessage:33", "fixture.Account.render:71"}), 4);
  waiting.Finish();

  TreeMaker spread(document, 12);
  for (const std::string_view method :
       {"fixture.Feed.parse:20", "fixture.Feed.sort:41", "fixture.Feed.layout:63"})
    spread.Add(InCallback({"fixture.Main$3.run:77", method}), 36);
  spread.Add(InCallback({"fixture.Main$3.run:80", "java.io.FileInputStream.read:native"}), 12,
             10'000, ThreadState::kNative);
  spread.Finish();

  TreeMaker computing(document, 17);
  computing.Add(InCallback({"fixture.Main$1.run:40", "fixture.Checkout.prepare:12"}), 1, 50'000);
  for (int round = 0; round < 12; ++round) {
    const StackText inner = {"fixture.Main$1.run:42", "fixture.Checkout.total:18",
                             "fixture.Decimal.multiply:23"};
    computing.Add(InCallback(inner), 15);
    computing.Add(InCallback(Below(inner, {"fixture.Decimal.carry:51"})), 7);
    computing.Add(InCallback({"fixture.Main$1.run:42", "fixture.Checkout.total:18",
                              "fixture.Decimal.multiply:27"}),
                  2);
  }
  computing.Add(InCallback({"fixture.Main$1.run:44", "java.util.HashMap.put:600"}), 2);
  computing.Finish();
}

void AddAnrMessages(model::Document* document) {
  model::Message looper = PastMessage(*document, 4, 21'400, 64, 60);
  looper.target = "android.app.ActivityThread$H";
  looper.what = 113;
  model::Message waited = PastMessage(*document, 9, 12'310, 1'220, 45);
  waited.target = "fixture.LockHandler";
  waited.what = 3;
  waited.wait_ns = 2'400'000;
  waited.flags = model::kMessageHasTree;
  waited.samples = 122;
  model::Message spread = PastMessage(*document, 12, 6'900, 1'200, 1'090);
  spread.target = "android.os.Handler";
  spread.callback = "fixture.Main$3";
  spread.flags = model::kMessageHasTree;
  spread.samples = 120;
  model::Message thrower = PastMessage(*document, 15, 3'800, 312, 300);
  thrower.target = "android.os.Handler";
  thrower.callback = "fixture.Main$Thrower";
  thrower.flags = model::kMessageThrew;
  thrower.samples = 27;
  document->history = {looper, waited, spread, thrower};
  document->history_lost = 3;
  document->running = RunningMessage(*document, 17, 2'962, 2'890);
  document->running->samples = 291;
  document->running->flags = model::kMessageHasTree | model::kMessageIdentityUnknown;
}

void AddPending(model::Document* document) {
  document->pending_source = "mMessages";
  document->pending.push_back({.delay_ms = -2'755,
                               .what = 114,
                               .target = "android.app.ActivityThread$H",
                               .callback = "",
                               .system_name = ""});
  document->pending.push_back({.delay_ms = -1'010,
                               .what = 0,
                               .is_asynchronous = true,
                               .target = "android.os.Handler",
                               .callback = "fixture.Main$2",
                               .system_name = ""});
  document->pending.push_back({.delay_ms = -400,
                               .what = 0,
                               .is_barrier = true,
                               .target = "",
                               .callback = "",
                               .system_name = ""});
  document->pending.push_back({.delay_ms = 1'500,
                               .what = 7,
                               .target = "fixture.LockHandler",
                               .callback = "",
                               .system_name = ""});
}

model::HistoryGroup GroupBefore(const model::Document& document, uint64_t before_dump_ms,
                                uint64_t wall_ms, uint64_t messages) {
  model::HistoryGroup group;
  group.kind = model::SpanKind::kQuick;
  group.start_ns = document.taken_monotonic_ns - before_dump_ms * 1'000'000;
  group.span_ns = (wall_ms + 100) * 1'000'000;
  group.wall_ns = wall_ms * 1'000'000;
  group.messages = messages;
  return group;
}

void AddViews(model::Document* document) {
  model::Looper main = {
      .thread = "main", .tid = 4711, .tap = "observer", .messages = 16'421, .running = {}};
  document->loopers = {main};
  document->groups = {
      GroupBefore(*document, 21'800, 306, 61), GroupBefore(*document, 12'310, 1'220, 1),
      GroupBefore(*document, 6'900, 1'200, 1), GroupBefore(*document, 5'600, 301, 240)};
  document->groups[0].kind = model::SpanKind::kMixed;
  document->groups[0].tokens = {Token{4}};
  document->groups[1].kind = model::SpanKind::kSlow;
  document->groups[1].tokens = {Token{9}};
  document->groups[2].kind = model::SpanKind::kSlow;
  document->groups[2].tokens = {Token{12}};
  model::HistoryRecord quick;
  quick.kind = model::SpanKind::kQuick;
  quick.start_ns = document->groups[3].start_ns;
  quick.span_ns = document->groups[3].span_ns;
  quick.wall_ns = document->groups[3].wall_ns;
  quick.messages = 240;
  quick.token = Token{14};
  quick.target = "android.os.Handler";
  quick.callback = "fixture.Main$Tick";
  model::HistoryRecord idle;
  idle.kind = model::SpanKind::kIdle;
  idle.start_ns = document->groups[2].start_ns - 2'000'000'000;
  idle.span_ns = 1'900'000'000;
  model::HistoryRecord system;
  system.kind = model::SpanKind::kSystem;
  system.start_ns = document->groups[0].start_ns + 80'000'000;
  system.span_ns = system.wall_ns = 38'000'000;
  system.messages = 1;
  system.token = Token{3};
  system.target = model::kSystemTarget;
  system.what = 121;
  document->records = {system, idle, quick};
  model::Jank jank;
  jank.refresh_interval_ns = 16'666'667;
  jank.frames = 903;
  jank.missed = 212;
  jank.watched_ns = 30'000'000'000;
  jank.frozen = {{Token{12}, document->history[2].start_ns, 1'200'000'000,
                  model::FrameStage::kTraversal, "CheckoutActivity"}};
  jank.scenes = {{"CheckoutActivity", 18'000'000'000, 1'200'000'000, 620, 190}};
  document->jank = jank;
}

void AddContext(model::Document* document) {
  using State = model::ContextEntry::State;
  document->trigger_detail = "head of the queue late by 2,755 ms";
  document->trigger_confirmed = "late message";
  document->context = {
      {"device", "cores", State::kNumber, "", 8},
      {"device", "api_level", State::kNumber, "", 30},
      {"cpu", "load_1min_milli", State::kNumber, "", 2'410},
      {"cpu", "system_busy_permille", State::kAbsent, "/proc/stat: Permission denied", 0},
      {"memory", "rss_bytes", State::kNumber, "", 181'403'648},
      {"memory", "available_bytes", State::kNumber, "", 1'204'224'000}};
  document->threads.emplace().threads = 34;
  document->threads->rows = {{4711, "main", 'R', 2'850, 40, 3'000, -10, 12},
                             {4731, "OkHttp", 'S', 210, 80, 3'000, 0, 5}};
  document->annotations = {
      "CheckoutActivity", 70'000'000'000, {{"battery", "15 %", 60'000'000'000}}};
  model::ThreadStack main;
  main.tid = 4711;
  main.name = "main";
  main.source = model::StackSource::kRunning;
  main.state = model::ThreadState::kRunnable;
  main.cpu_ns = 2'890'000'000;
  main.frames = {document->frames.InternFrame("fixture.Decimal", "multiply", "()V", "Decimal.java",
                                              27, model::FrameKind::kInterpreted)};
  model::ThreadStack late;
  late.tid = 4750;
  late.name = "late";
  late.absent = "not reached in time";
  document->modules = {{"/data/app/base.apk!libshop.so", "1bad5eed", 0x7000'0000, 0x7010'0000, 0}};
  main.native = {{1, 0x1234, "shop_price", "", false}, {0, 0x7fff'0000, "", "", false}};
  document->thread_stacks = {"", 2, 1'000, 3'000'000, {main, late}};
  document->signal_catcher = {"", "not captured here", 0, ""};
  AddSections(document);
}

}  // namespace

model::FrameId AddFrame(model::Document* document, std::string_view text) {
  const size_t colon = text.rfind(':');
  const std::string_view place = text.substr(colon + 1);
  const std::string_view name = text.substr(0, colon);
  const size_t dot = name.rfind('.');
  const std::string_view class_name = name.substr(0, dot);
  const bool is_native = place == "native";
  int32_t line = model::kLineNative;
  if (!is_native) std::from_chars(place.data(), place.data() + place.size(), line);
  std::string file(class_name.substr(class_name.rfind('.') + 1));
  file = file.substr(0, file.find('$')) + ".java";
  return document->frames.InternFrame(class_name, name.substr(dot + 1), "()V", file, line,
                                      is_native ? FrameKind::kJni : FrameKind::kInterpreted);
}

TreeMaker& TreeMaker::Add(const StackText& stack, uint32_t count, uint32_t weight_us,
                          ThreadState state) {
  std::vector<model::FrameId> frames;
  for (const std::string_view text : stack) frames.push_back(AddFrame(document_, text));
  for (uint32_t i = 0; i < count; ++i) {
    wall_us_ += weight_us;
    cpu_us_ += state == ThreadState::kRunnable ? weight_us : 0;
    tree_.Add(frames,
              {.wall_us = wall_us_, .weight_us = weight_us, .cpu_us = cpu_us_, .state = state});
  }
  return *this;
}

void TreeMaker::FinishThread() { document_->thread_trees.push_back(std::move(tree_)); }

void TreeMaker::Finish() { document_->trees.push_back(std::move(tree_)); }

model::Document QuietDocument() {
  model::Document document;
  document.format_version = 1;
  document.trigger = model::Trigger::kSigquit;
  document.taken_monotonic_ns = kTakenNs;
  document.taken_realtime_ns = 1'790'000'000'000'000'000;
  document.identity.process_name = "fixture.Main";
  document.identity.pid = 4711;
  document.identity.uid = 1000;
  document.identity.abi = "x86_64";
  document.identity.art_release = "11";
  document.identity.art_build_id = "0123456789abcdef0123456789abcdef";
  document.identity.profiler_version = "0.1.0";
  document.identity.sampler_state = "on";
  document.identity.tap = "observer";
  document.identity.process_start_ns = 60'000'000'000;
  document.configuration = {{"slow_message_ms", "50"}, {"interval_ms", "10"}};
  document.slow_ns = 50'000'000;
  document.interval_ns = 10'000'000;
  document.counters = {{"samples", 560},
                       {"handler_time_ns", 1'840'000},
                       {"ring_bytes", 262'144},
                       {"drops_ring_full", 0}};
  document.pending_absent = "not asked for";
  return document;
}

model::Message PastMessage(const model::Document& document, uint64_t token, int64_t before_dump_ms,
                           int64_t wall_ms, int64_t cpu_ms) {
  model::Message message;
  message.token = Token{token};
  message.start_ns =
      document.taken_monotonic_ns - static_cast<uint64_t>(before_dump_ms) * 1'000'000;
  message.wait_ns = 1'000'000;
  message.wall_ns = wall_ms * 1'000'000;
  message.cpu_ns = cpu_ms * 1'000'000;
  return message;
}

model::Message RunningMessage(const model::Document& document, uint64_t token, int64_t wall_ms,
                              int64_t cpu_ms) {
  model::Message message = PastMessage(document, token, wall_ms, wall_ms, cpu_ms);
  message.wait_ns = model::kTimeUnknown;
  message.flags = model::kMessageIdentityUnknown;
  return message;
}

model::Document RunningIn(const StackText& inner) {
  model::Document document = QuietDocument();
  TreeMaker(&document, 1).Add(InCallback(inner), 300).Finish();
  document.running = RunningMessage(document, 1, 3'000, 3'000);
  return document;
}

void AddWaiting(model::Document* document, int64_t late_ms, const std::string& callback) {
  model::PendingMessage message;
  message.delay_ms = -late_ms;
  message.target = "android.os.Handler";
  message.callback = callback;
  document->pending_source = "mMessages";
  document->pending.push_back(message);
}

StackText InMessage(const StackText& inner) {
  return Below({"fixture.Main.main:15", "android.os.Looper.loop:95",
                "android.os.Looper.loopOnce:70", "android.os.Handler.dispatchMessage:44"},
               inner);
}

StackText InCallback(const StackText& inner) {
  return InMessage(Below({"android.os.Handler.handleCallback:60"}, inner));
}

model::Document AnrDocument() {
  model::Document document = QuietDocument();
  AddAnrTrees(&document);
  AddAnrThreads(&document);
  AddAnrMessages(&document);
  AddPending(&document);
  AddViews(&document);
  AddContext(&document);
  return document;
}

model::Document HostileDocument() {
  model::Document document = QuietDocument();
  const std::string markup = "<script>alert('x')</script>\"&]]>--><!--";
  const std::string long_name(10'240, 'L');
  document.identity.process_name = markup;
  document.identity.sampler_state = "off: " + markup + "\x1b[31m\n";
  document.configuration = {{markup, markup}, {"\xff\xfe", "\xc3"}};
  document.counters = {{markup + "_ns", UINT64_MAX}, {long_name, 1}};
  std::vector<model::FrameId> stack;
  model::FrameTable& frames = document.frames;
  stack.push_back(
      frames.InternFrame(markup, "</title><style>", "", markup, 1, FrameKind::kCompiled));
  stack.push_back(
      frames.InternFrame("a;b c%d", "new\nline\x1b[2J", "", "\xed\xa0\x80", -7, FrameKind::kNterp));
  stack.push_back(
      frames.InternFrame("\xe2\x80\xae"
                         "evil",
                         "\xff\x80", "", "", INT32_MAX, FrameKind::kInterpreted));
  stack.push_back(frames.InternFrame(long_name, long_name, "", long_name, 5, FrameKind::kCompiled));
  stack.push_back(frames.InternFrame("", "", "", "", model::kLineUnknown, FrameKind::kJni));
  stack.push_back(
      frames.InternFrame("", markup, "", "", model::kLineUnknown, FrameKind::kTruncated));
  model::TraceTree tree(Token{UINT64_MAX});
  tree.Add(stack,
           {.wall_us = 0, .weight_us = UINT32_MAX, .cpu_us = 0, .state = ThreadState::kOther});
  tree.Add({}, {.wall_us = 1, .weight_us = 1, .cpu_us = 0, .state = ThreadState::kUnknown});
  document.trees.push_back(std::move(tree));
  model::Message message;
  message.token = Token{UINT64_MAX};
  message.start_ns = UINT64_MAX;
  message.wall_ns = INT64_MAX;
  message.cpu_ns = INT64_MAX;
  message.wait_ns = INT64_MAX;
  message.what = INT32_MIN;
  message.samples = UINT32_MAX;
  message.flags = ~model::kMessageIdentityUnknown;
  message.target = markup + long_name;
  message.callback = "\x01\x02" + markup;
  document.history = {message};
  document.pending_absent = markup;
  document.pending.push_back({.delay_ms = INT64_MIN,
                              .what = 1,
                              .target = markup,
                              .callback = long_name,
                              .system_name = ""});
  document.pending.push_back({.delay_ms = -2'000,
                              .what = 113,
                              .target = std::string(model::kSystemTarget),
                              .callback = "",
                              .system_name = "RECEIVER",
                              .component = markup + long_name});
  return document;
}

model::Document LargeDocument(uint32_t samples, uint32_t depth) {
  model::Document document = QuietDocument();
  model::TraceTree tree(Token{1},
                        {.max_samples = samples + 1, .max_nodes = 4 * depth * samples + 16});
  std::vector<model::FrameId> stack(depth);
  uint32_t random = 1;
  for (uint32_t i = 0; i < samples; ++i) {
    for (uint32_t level = depth / 2; level < depth; ++level) {
      random = random * 1'664'525 + 1'013'904'223;
      const std::string name =
          "app.pkg" + std::to_string(level) + ".Class" + std::to_string((random >> 16U) % 12);
      stack[level] = document.frames.InternFrame(
          name, "work", "()V", "Class.java", static_cast<int32_t>(level), FrameKind::kInterpreted);
    }
    for (uint32_t level = 0; level < depth / 2; ++level) {
      stack[level] = document.frames.InternFrame("app.Outer" + std::to_string(level), "call", "()V",
                                                 "Outer.java", 1, FrameKind::kInterpreted);
    }
    tree.Add(stack, {.wall_us = (i + 1) * 1000,
                     .weight_us = 1000,
                     .cpu_us = i,
                     .state = ThreadState::kRunnable});
  }
  document.trees.push_back(std::move(tree));
  document.history = {PastMessage(document, 1, 10'000, samples, samples)};
  return document;
}

std::string PageOf(const index::DumpIndex& index) {
  render::PageData data("test");
  data.Add("anr.sfdump", index, judge::Judge(index));
  return render::HtmlReport(data);
}

void WriteSample(const model::Document& document, const std::string& path) {
  dump::Writer writer;
  const dump::WriteResult result = writer.WriteDocument(document, path.c_str());
  ASSERT_TRUE(result.ok()) << dump::Writer::Describe(result, path);
}

}  // namespace stillframe::host_test
