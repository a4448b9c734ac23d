// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/render/page_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "src/model/context_names.h"
#include "tools/stillframe/calltree/figures.h"
#include "tools/stillframe/calltree/method_name.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/index/trace_sections.h"
#include "tools/stillframe/render/facts.h"
#include "tools/stillframe/render/native_text.h"
#include "tools/stillframe/text/clean_text.h"
#include "tools/stillframe/verdict/wording.h"

namespace stillframe::render {
namespace {

using nlohmann::ordered_json;
using text::Truncated;

constexpr size_t kLongestText = 300;
constexpr size_t kMaxSpans = 20'000;
constexpr size_t kMaxThreads = 1'000;
constexpr size_t kMaxStackFrames = 128;
constexpr size_t kMaxSections = 20'000;
constexpr size_t kMaxFrozen = 1'000;
constexpr size_t kLongestReport = 400'000;

std::string_view ClassName(model::SpanKind kind) {
  switch (kind) {
    case model::SpanKind::kSlow: return "slow";
    case model::SpanKind::kMixed:
    case model::SpanKind::kNormal: return "normal";
    case model::SpanKind::kSystem: return "system";
    case model::SpanKind::kFrame: return "frame";
    case model::SpanKind::kIdle: return "idle";
    case model::SpanKind::kFrozen: return "frozen";
    case model::SpanKind::kLost: return "lost";
    case model::SpanKind::kOutside: return "outside";
    case model::SpanKind::kBlind: return "blind";
    case model::SpanKind::kQuick:
    case model::SpanKind::kUnknown: break;
  }
  return "quick";
}

template <typename Span>
std::string_view ClassOf(const Span& span, int64_t slow_ns) {
  const bool is_slow_system = span.kind == model::SpanKind::kSystem && span.messages == 1 &&
                              static_cast<int64_t>(span.wall_ns) >= slow_ns;
  return is_slow_system ? "slow" : ClassName(span.kind);
}

template <typename Span>
ordered_json SpanJson(const model::Document& document, const Span& span, const std::string& text,
                      int64_t slow_ns) {
  const auto us = [](uint64_t ns) { return ns / 1000; };
  return {{"looper", span.looper},
          {"class", ClassOf(span, slow_ns)},
          {"start", PageStart(document, span.start_ns)},
          {"span", us(span.span_ns)},
          {"wall", us(span.wall_ns)},
          {"cpu", PageTime(span.cpu_ns)},
          {"messages", span.messages},
          {"text", Truncated(text, kLongestText)}};
}

// Of the messages that the page shows one by one.
std::set<uint64_t> TokensOfMessages(const model::Document& document) {
  std::set<uint64_t> tokens;
  for (const model::Message& message : document.history) tokens.insert(message.token);
  for (const model::Looper& looper : document.loopers)
    if (looper.running) tokens.insert(looper.running->token);
  if (document.running) tokens.insert(document.running->token);
  return tokens;
}

ordered_json AnnotationsJson(const model::Document& document) {
  ordered_json rows = ordered_json::array();
  if (!document.annotations.scene.empty())
    rows.push_back({"scene", Truncated(document.annotations.scene, kLongestText)});
  for (const model::Annotation& annotation : document.annotations.entries)
    rows.push_back({Truncated(annotation.name, 80), Truncated(annotation.value, kLongestText)});
  return rows;
}

}  // namespace

ordered_json PageStart(const model::Document& document, uint64_t start_ns) {
  if (start_ns == 0) return nullptr;
  return (static_cast<double>(start_ns) - static_cast<double>(document.taken_monotonic_ns)) / 1000;
}

ordered_json PageTime(int64_t ns) {
  return ns < 0 ? ordered_json(nullptr) : ordered_json(ns / 1000);
}

ordered_json PageLoopers(const model::Document& document) {
  ordered_json loopers = ordered_json::array();
  for (const model::Looper& looper : document.loopers) {
    loopers.push_back({{"name", Truncated(looper.thread, 80)},
                       {"tid", looper.tid},
                       {"tap", Truncated(looper.tap, 40)},
                       {"messages", looper.messages}});
  }
  if (loopers.empty()) {
    loopers.push_back({{"name", "main"},
                       {"tid", document.identity.pid},
                       {"tap", Truncated(document.identity.tap, 40)},
                       {"messages", nullptr}});
  }
  return loopers;
}

ordered_json PageSpans(const model::Document& document, int64_t slow_ns) {
  ordered_json spans = ordered_json::array();
  const std::set<uint64_t> shown = TokensOfMessages(document);
  const uint64_t first_record_ns =
      document.records.empty() ? UINT64_MAX : document.records.front().start_ns;
  for (const model::HistoryGroup& group : document.groups) {
    const bool is_one_message = group.messages == 1 && group.tokens.size() == 1;
    if (group.start_ns < first_record_ns && spans.size() < kMaxSpans &&
        !(is_one_message && shown.contains(group.tokens[0])))
      spans.push_back(SpanJson(document, group, {}, slow_ns));
  }
  for (const model::HistoryRecord& record : document.records) {
    if (spans.size() < 2 * kMaxSpans && !(record.messages == 1 && shown.contains(record.token))) {
      const std::string& name = record.callback.empty() ? record.target : record.callback;
      spans.push_back(SpanJson(document, record,
                               record.system_name.empty() ? name : record.system_name, slow_ns));
    }
  }
  return spans;
}

ordered_json PageJank(const model::Document& document) {
  if (!document.jank) return nullptr;
  const model::Jank& jank = *document.jank;
  ordered_json frozen = ordered_json::array();
  for (const model::FrozenFrame& frame : jank.frozen) {
    if (frozen.size() < kMaxFrozen) {
      frozen.push_back({{"token", std::to_string(frame.token)},
                        {"start", PageStart(document, frame.start_ns)},
                        {"duration", frame.duration_ns / 1000},
                        {"stage", index::NameOf(frame.stage)},
                        {"scene", Truncated(frame.scene, 80)}});
    }
  }
  ordered_json scenes = ordered_json::array();
  for (const model::SceneShare& scene : jank.scenes) {
    scenes.push_back({Truncated(scene.scene, 80),
                      fmt::format("{} frames, {} missed, frozen {} of {}", scene.frames,
                                  scene.missed, calltree::DurationUs(scene.frozen_ns / 1000),
                                  calltree::DurationUs(scene.shown_ns / 1000))});
  }
  return {{"absent", Truncated(jank.absent, kLongestText)},
          {"refresh", jank.refresh_interval_ns / 1000},
          {"frames", jank.frames},
          {"missed", jank.missed},
          {"dueUnknown", jank.due_unknown},
          {"watched", jank.watched_ns / 1000},
          {"frozen", std::move(frozen)},
          {"scenes", std::move(scenes)}};
}

ordered_json PageTraceSections(const model::Document& document) {
  if (!document.sections) return nullptr;
  const index::TraceSlices slices(document);
  ordered_json main = ordered_json::array();
  uint64_t more = 0;
  for (const index::TraceSlice& slice : slices.all()) {
    if (slice.looper != 0) continue;
    more += main.size() == kMaxSections ? 1U : 0U;
    if (main.size() == kMaxSections) continue;
    main.push_back({{"name", Truncated(slice.name, kLongestText)},
                    {"start", PageStart(document, slice.begin_ns)},
                    {"length", slice.length_ns() / 1000},
                    {"depth", slice.depth},
                    {"async", slice.is_async},
                    {"open", slice.is_open}});
  }
  uint64_t lost = 0;
  for (const model::LooperSections& of_looper : document.sections->loopers)
    if (of_looper.looper == 0) lost += of_looper.lost;
  return {{"absent", Truncated(document.sections->absent, kLongestText)},
          {"lost", lost},
          {"more", more},
          {"main", std::move(main)}};
}

ordered_json PageContext(const model::Document& document) {
  ordered_json groups = ordered_json::array();
  const bool has_stacks = document.thread_stacks && !document.thread_stacks->stacks.empty();
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kGroups = {
      {{"device", "Device"},
       {"process", "Process"},
       {"cpu", "CPU"},
       {"memory", "Memory"},
       {"io", "Files and I/O"},
       {"gc", "Garbage collector"}}};
  for (const auto& [group, title] : kGroups) {
    ordered_json rows = ordered_json::array();
    for (const model::ContextEntry& entry : document.context)
      if (entry.group == group && !(has_stacks && entry.name == model::context::kMainThreadStack))
        rows.emplace_back(ContextFact(entry));
    groups.push_back({title, std::move(rows)});
  }
  groups.push_back({"Annotations of the application", AnnotationsJson(document)});
  return groups;
}

ordered_json PageThreads(const model::Document& document) {
  if (!document.threads) return nullptr;
  ordered_json rows = ordered_json::array();
  for (const model::ThreadRow& row : document.threads->rows) {
    if (rows.size() < kMaxThreads) {
      const auto known = [](int64_t ms) {
        return ms < 0 ? ordered_json(nullptr) : ordered_json(ms);
      };
      rows.push_back({{"tid", row.tid},
                      {"name", Truncated(row.name, 60)},
                      {"state", std::string(1, row.state)},
                      {"user", known(row.user_ms)},
                      {"system", known(row.system_ms)},
                      {"interval", row.interval_ms},
                      {"nice", row.nice},
                      {"queue", known(row.runqueue_wait_ms)}});
    }
  }
  return {{"absent", Truncated(document.threads->absent, kLongestText)},
          {"threads", document.threads->threads},
          {"rows", std::move(rows)}};
}

ordered_json PageStacks(const model::Document& document) {
  if (!document.thread_stacks) return nullptr;
  std::map<std::pair<std::vector<std::string>, std::vector<trace::FrameId>>, size_t> group_of;
  ordered_json groups = ordered_json::array();
  for (const model::ThreadStack& stack : document.thread_stacks->stacks) {
    std::vector<std::string> native = NativeLines(document, stack);
    const auto [entry, is_new] = group_of.try_emplace({native, stack.frames}, groups.size());
    if (is_new && groups.size() == kMaxThreads) break;
    if (is_new) {
      ordered_json frames = ordered_json::array();
      for (const std::string& line : native) frames.push_back("native " + Truncated(line, 200));
      for (size_t i = 0; i < std::min(stack.frames.size(), kMaxStackFrames); ++i)
        frames.push_back(calltree::FrameText(document.frames, stack.frames[i], 200));
      groups.push_back({{"threads", ordered_json::array()}, {"stack", std::move(frames)}});
    }
    groups[entry->second]["threads"].push_back(
        {{"tid", stack.tid},
         {"name", Truncated(stack.name, 100)},
         {"state", index::NameOf(stack.state)},
         {"running", stack.source == model::StackSource::kRunning},
         {"absent", Truncated(stack.absent, kLongestText)}});
  }
  const model::ThreadStacks& stacks = *document.thread_stacks;
  return {{"absent", Truncated(stacks.absent, kLongestText)},
          {"threads", stacks.threads},
          {"time", stacks.duration_ns / 1000},
          {"groups", std::move(groups)}};
}

ordered_json PageSignalCatcher(const model::Document& document) {
  if (!document.signal_catcher) return nullptr;
  const model::SignalCatcherText& report = *document.signal_catcher;
  ordered_json lines = ordered_json::array();
  size_t shown = 0;
  for (size_t begin = 0; begin < report.text.size() && shown < kLongestReport;) {
    const size_t end = std::min(report.text.find('\n', begin), report.text.size());
    lines.push_back(Truncated(std::string_view(report.text).substr(begin, end - begin), 1000));
    shown += end - begin + 1;
    begin = end + 1;
  }
  return {{"source", Truncated(report.source, kLongestText)},
          {"absent", Truncated(report.absent, kLongestText)},
          {"lines", std::move(lines)}};
}

ordered_json PageChain(const verdict::Verdict& verdict) {
  const verdict::WaitChain& chain = verdict.chain;
  if (chain.threads.empty()) return nullptr;
  const auto list = [](const std::vector<verdict::Waiter>& waiters) {
    ordered_json json = ordered_json::array();
    for (const verdict::Waiter& waiter : waiters)
      json.push_back({{"tid", waiter.tid},
                      {"name", waiter.thread},
                      {"waits", verdict::WaitsFor(waiter)},
                      {"own", waiter.own_frame},
                      {"stack", waiter.stack}});
    return json;
  };
  return {{"threads", list(chain.threads)},
          {"deadlock", chain.is_deadlock() ? ordered_json(chain.loop) : ordered_json(nullptr)},
          {"candidates", list(chain.candidates)}};
}

ordered_json PageContributors(const verdict::Verdict& verdict) {
  ordered_json list = ordered_json::array();
  for (const verdict::Contributor& contributor : verdict.contributors) {
    ordered_json tokens = ordered_json::array();
    for (const uint64_t token : contributor.tokens) tokens.push_back(std::to_string(token));
    ordered_json methods = ordered_json::array();
    for (const verdict::MethodTime& method : contributor.methods)
      methods.push_back({method.method, method.place, method.us});
    list.push_back({{"cause", verdict::CauseName(contributor.cause)},
                    {"time", contributor.ns / 1000},
                    {"text", verdict::Label(contributor, verdict.window_ns)},
                    {"running", contributor.is_running},
                    {"tokens", std::move(tokens)},
                    {"methods", std::move(methods)}});
  }
  return list;
}

}  // namespace stillframe::render
