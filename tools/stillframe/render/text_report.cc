// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/render/text_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/index/trace_sections.h"
#include "tools/stillframe/judge/wait_chain.h"
#include "tools/stillframe/render/facts.h"
#include "tools/stillframe/render/native_text.h"
#include "tools/stillframe/words/contributor_text.h"
#include "tools/stillframe/words/wording.h"

namespace stillframe::render {
namespace {

using index::CallTree;
using index::Truncated;
using model::Document;
using model::Message;

constexpr size_t kLeastColumns = 60;
constexpr size_t kMaxMessages = 2000;
constexpr size_t kMaxPending = 40;
constexpr size_t kMaxMethods = 5;
constexpr size_t kMaxSections = 24;
constexpr size_t kLongestDispatch = 60;
constexpr size_t kShortestDispatch = 12;
constexpr size_t kWidestLine = 140;  // of a message
constexpr uint64_t kHalfSecondNs = 500'000'000;
constexpr size_t kMaxPathFrames = 24;
constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kRed = "\x1b[1;31m";
constexpr std::string_view kGreen = "\x1b[32m";
constexpr std::string_view kPlain = "\x1b[0m";
constexpr int64_t kLateMs = 1'000;

// "0 ms", "0.0 %", "unknown", "not known: why": not worth a line.
bool IsNothing(std::string_view value) {
  const size_t digits = value.starts_with("0.0") ? 3 : value.starts_with("0") ? 1 : 0;
  return (digits > 0 && (value.size() == digits || value[digits] == ' ')) ||
         value.starts_with("unknown") || value.starts_with("not known");
}

class TextWriter {
 public:
  TextWriter(const index::DumpIndex& index, const judge::Verdict& verdict, const TextLayout& layout)
      : index_(index),
        verdict_(verdict),
        document_(index.document()),
        columns_(std::max(layout.columns, kLeastColumns)),
        has_colour_(layout.has_colour) {}

  std::string Write() {
    WriteHead();
    WriteVerdict();
    WritePast();
    WritePresent();
    WriteNative();
    WriteSections();
    WriteFuture();
    WriteFacts();
    return std::move(out_);
  }

 private:
  template <typename... Values>
  void Add(fmt::format_string<Values...> format, Values&&... values) {
    out_ += fmt::format(format, std::forward<Values>(values)...);
  }

  void Heading(std::string_view name, const std::string& note) {
    Add("\n{}{}{}{}{}\n", Colour(kBold), name, Colour(kPlain), note.empty() ? "" : "  ", note);
  }

  std::string_view Colour(std::string_view sequence) const {
    return has_colour_ ? sequence : std::string_view();
  }

  // Breaks clean text at spaces. The first line starts with `first`; the others are indented by its
  // length.
  void Wrapped(std::string_view first, std::string_view text) {
    const size_t indent = first.size();
    std::string line(first);
    size_t used = indent;
    bool is_fresh = true;
    while (!text.empty()) {
      const size_t space = std::min(text.find(' '), text.size());
      const std::string_view word = text.substr(0, space);
      const size_t width = index::CharacterCount(word);
      if (!is_fresh && used + 1 + width > columns_) {
        Add("{}\n", line);
        line.assign(indent, ' ');
        used = indent;
        is_fresh = true;
      }
      line += is_fresh ? "" : " ";
      line += word;
      used += width + (is_fresh ? 0 : 1);
      is_fresh = false;
      text.remove_prefix(std::min(space + 1, text.size()));
    }
    Add("{}\n", line);
  }

  void WriteHead() {
    std::string origin = "Stillframe";
    for (const std::string& word : Origin(document_, verdict_)) origin += " \u00b7 " + word;
    Wrapped("", origin);
    for (const std::string& line : document_.damage) Wrapped("partial: ", Truncated(line, 400));
  }

  void WriteVerdict() {
    const bool has_culprit = verdict_.kind != judge::Kind::kNothingSlow;
    const words::Words words = words::Explain(verdict_);
    Heading("VERDICT",
            has_culprit ? fmt::format("{} confidence", index::NameOf(verdict_.confidence)) : "");
    out_ += Colour(has_culprit ? kRed : kGreen);
    Wrapped("  ", words.headline);
    out_ += Colour(kPlain);
    Wrapped("  ", words.sentence);
    Wrapped("  Next step: ", words.next_step);
    if (has_culprit) Wrapped("  Confidence ", words.confidence);
    const CallTree* tree = verdict_.token ? index_.TreeOf(*verdict_.token) : nullptr;
    if (tree != nullptr && tree->sampled_us() > 0) {
      Add("\n  Main thread, heaviest stack:\n");
      WritePath(*tree);
    }
    if (!verdict_.contributors.empty()) WriteContributors();
    if (!words.evidence.empty()) Add("\n  Evidence:\n");
    for (const std::string& sentence : words.evidence) Wrapped("  - ", sentence);
    WriteChain();
  }

  // Stacks of the threads that the main thread waited for, or may have waited for.
  void WriteChain() {
    const judge::WaitChain& chain = verdict_.chain;
    for (size_t i = 1; i < chain.threads.size(); ++i) WriteStack(chain.threads[i], "");
    for (const judge::Waiter& waiter : chain.candidates) WriteStack(waiter, ", a candidate");
  }

  void WriteStack(const judge::Waiter& waiter, std::string_view remark) {
    const std::string waits_for = words::WaitsFor(waiter);
    Add("\n");
    Wrapped(
        "  ",
        fmt::format("Thread {} (tid {}){}{}{}:",
                    waiter.thread.starts_with("thread ") ? waiter.thread.substr(7) : waiter.thread,
                    waiter.tid, remark, waits_for.empty() ? "" : ", waits for ", waits_for));
    for (size_t i = 0; i < std::min(waiter.stack.size(), kMaxPathFrames); ++i)
      Add("    {}{}\n", waiter.stack[i].starts_with('(') ? "" : "at ", waiter.stack[i]);
    if (waiter.stack.size() > kMaxPathFrames)
      Add("    ... {} more frames ...\n", index::Grouped(waiter.stack.size() - kMaxPathFrames));
  }

  // The whole time in question, except rows below a hundredth of it.
  void WriteContributors() {
    Add("\n  Where the {} went:\n", index::Seconds(verdict_.window_ns));
    for (const judge::Contributor& contributor : verdict_.contributors) {
      if (contributor.ns * 100 < verdict_.window_ns) continue;
      Wrapped(fmt::format("  {:>11} {:>7}  ", index::DurationUs(contributor.ns / 1000),
                          index::Share(contributor.ns, verdict_.window_ns)),
              words::Label(contributor, verdict_.window_ns));
    }
  }

  void MessageLine(const Message& message) {
    index::Dispatch dispatch = index_.DispatchFor(message);
    std::string marks = FlagsText(message.flags);
    const auto mark = [&marks](std::string_view word) {
      marks += marks.empty() ? "" : ", ";
      marks += word;
    };
    if (std::exchange(dispatch.is_from_stack, false)) mark("by its stack");
    const std::vector<Token>& blamed = verdict_.tokens;
    if (std::find(blamed.begin(), blamed.end(), message.token) != blamed.end()) mark("to blame");
    marks = marks.empty() ? "" : fmt::format(" [{}]", marks);
    const std::string figures =
        fmt::format("  {:>10} {:>9} {:>10} {:>10} {:>7} {:>6}{}", RelativeStart(document_, message),
                    index::Duration(message.wait_ns), index::Duration(message.wall_ns),
                    index::Duration(message.cpu_ns), index::Grouped(message.samples),
                    NumberOf(message.token), index_.TreeOf(message.token) != nullptr ? '*' : ' ');
    const size_t used = std::min(figures.size() + marks.size(), kWidestLine - kShortestDispatch);
    const size_t room = std::min(kWidestLine - used, kLongestDispatch);
    Add("{} {}{}\n", figures, Truncated(DispatchText(dispatch), room), marks);
  }

  void MessageHeads() {
    Add("  {:>10} {:>9} {:>10} {:>10} {:>7} {:>6}  {}\n", "start", "waited", "wall", "cpu",
        "samples", "number", "message");
  }

  // Sums of the main thread's whole recorded time.
  void PastSummary() {
    uint64_t messages = 0;
    uint64_t work_ns = 0;
    uint64_t idle_ns = 0;
    uint64_t frozen_ns = 0;
    uint64_t outside_ns = 0;
    uint64_t blind_ns = 0;
    uint64_t begin_ns = document_.taken_monotonic_ns;
    for (const model::HistoryRecord& record : document_.records) {
      if (record.looper != 0) continue;
      begin_ns = std::min(begin_ns, record.start_ns);
      messages += record.messages;
      if (record.kind == model::SpanKind::kIdle)
        idle_ns += record.span_ns;
      else if (record.kind == model::SpanKind::kFrozen)
        frozen_ns += record.span_ns;
      else if (record.kind == model::SpanKind::kOutside)
        outside_ns += record.span_ns;
      else if (record.kind == model::SpanKind::kBlind)
        blind_ns += record.span_ns;
      else
        work_ns += record.wall_ns;
    }
    if (messages == 0) return;
    const auto text = [](uint64_t ns) { return index::DurationUs(ns / 1000); };
    const auto part = [&text](uint64_t ns, std::string_view what) {
      return ns == 0 ? std::string() : fmt::format("; for {} {}", text(ns), what);
    };
    Add("  In the last {} s {} took {}{}{}{}{}.\n",
        (document_.taken_monotonic_ns - begin_ns + kHalfSecondNs) / (2 * kHalfSecondNs),
        index::Counted(messages, "message"), text(work_ns),
        part(outside_ns, "it was busy outside messages"), part(idle_ns, "no message ran"),
        part(blind_ns, "nothing was recorded, since another component had the tap's place"),
        frozen_ns == 0 ? "" : fmt::format("; the process was frozen for {}", text(frozen_ns)));
  }

  void WritePast() {
    const size_t count = document_.history.size();
    Heading("PAST", "what ran before, oldest first; start is relative to the dump, * has a tree");
    PastSummary();
    if (index_.IsOneLook()) return Add("  Not known: stacks of one moment only, no messages.\n");
    if (count == 0) {
      Add("  No message took {} or more.\n", index::Duration(index_.slow_ns()));
      return ShortSystemMessages();
    }
    const size_t first = count > kMaxMessages ? count - kMaxMessages : 0;
    Add("  {}, {} and more{}{}:\n", index::Counted(count, "slow message"),
        index::Duration(index_.slow_ns()),
        document_.history_lost == 0
            ? ""
            : fmt::format("; {} older were overwritten", index::Grouped(document_.history_lost)),
        first == 0 ? "" : fmt::format("; the oldest {} only in inspect", index::Grouped(first)));
    MessageHeads();
    for (size_t i = first; i < count; ++i) MessageLine(document_.history[i]);
    ShortSystemMessages();
  }

  void ShortSystemMessages() {
    constexpr size_t kMost = 20;
    const std::vector<Message> messages = index_.ShortSystemMessages();
    if (messages.empty()) return;
    const size_t first = messages.size() - std::min(messages.size(), kMost);
    Add("  {} of the system below {}{}:\n", index::Counted(messages.size(), "message"),
        index::Duration(index_.slow_ns()),
        first == 0 ? "" : fmt::format("; the oldest {} only in inspect", index::Grouped(first)));
    MessageHeads();
    for (size_t i = first; i < messages.size(); ++i) MessageLine(messages[i]);
  }

  void WritePresent() {
    Heading("PRESENT", "what runs now");
    if (index_.IsOneLook()) return WriteMainStack();
    if (!document_.running) {
      const bool is_due = std::any_of(
          document_.pending.begin(), document_.pending.end(),
          [](const model::PendingMessage& m) { return !m.is_barrier && m.delay_ms <= -kLateMs; });
      Add("  {}\n", is_due ? "No message ran, although one was due: the thread was busy outside "
                             "messages, or held "
                             "back."
                           : "Nothing: the main thread was idle or between two messages.");
      return;
    }
    MessageHeads();
    MessageLine(*document_.running);
    const CallTree* tree = index_.TreeOf(document_.running->token);
    if (tree != nullptr && document_.running->token != verdict_.token) {
      Add("\n  Its heaviest stack:\n");
      WritePath(*tree);
    }
  }

  // The main thread's stack, innermost frame first.
  void WriteMainStack() {
    const model::ThreadStack& main = document_.thread_stacks->stacks.front();
    const bool has_state =
        main.state != model::ThreadState::kUnknown && main.state != model::ThreadState::kOther;
    if (main.frames.empty()) return;
    Add("  The {}thread's stack{}:\n", verdict_.is_unnamed ? "" : "main ",
        has_state ? fmt::format(" ({})", index::TextOf(main.state)) : "");
    const size_t shown = std::min(main.frames.size(), kMaxPathFrames);
    for (size_t i = 0; i < shown; ++i)
      Add("    {}\n", index::FrameText(document_.frames, main.frames[i], columns_ - 4));
    if (shown < main.frames.size())
      Add("    and {} outside\n", index::Counted(main.frames.size() - shown, "frame"));
  }

  // The main thread's native frames.
  void WriteNative() {
    if (!document_.thread_stacks) return;
    for (const model::ThreadStack& stack : document_.thread_stacks->stacks) {
      if (stack.tid != judge::MainTid(document_)) continue;
      const std::vector<std::string> lines = NativeLines(document_, stack);
      if (lines.empty()) return;
      Add("\n  The native code that it was in at the dump:\n");
      for (size_t i = 0; i < std::min(lines.size(), kMaxPathFrames); ++i)
        Add("    {}\n", Truncated(lines[i], columns_ - 4));
      if (!stack.frames.empty())
        Add("    called by {}\n",
            index::FrameText(document_.frames, stack.frames.front(), columns_ - 40));
      return;
    }
  }

  // The main thread's longest sections of the trace marker, by start.
  void WriteSections() {
    if (!document_.sections) return;
    Heading("SECTIONS", "what the main thread wrote to the trace marker; the longest");
    if (!document_.sections->absent.empty())
      Wrapped("  ",
              fmt::format("Nothing was captured: {}.", Truncated(document_.sections->absent, 200)));
    const index::TraceSlices slices(document_);
    std::vector<const index::TraceSlice*> longest;
    for (const index::TraceSlice& slice : slices.all())
      if (slice.looper == 0) longest.push_back(&slice);
    std::stable_sort(longest.begin(), longest.end(),
                     [](const auto* a, const auto* b) { return a->length_ns() > b->length_ns(); });
    longest.resize(std::min(longest.size(), kMaxSections));
    std::sort(longest.begin(), longest.end());
    for (const index::TraceSlice* slice : longest)
      Add("  {:>10} {:>10}  {:{}}{}{}\n", RelativeTime(document_, slice->begin_ns),
          index::DurationUs(slice->length_ns() / 1000), "", std::min(2 * slice->depth, 20U),
          Truncated(slice->name, columns_ - 30),
          slice->is_open    ? " [open]"
          : slice->is_async ? " [asynchronous]"
                            : "");
  }

  void PathLine(const CallTree& tree, index::MethodId method, uint64_t time_us) {
    const bool is_guess = 2 * tree.methods()[method].guess_us > time_us;
    const std::string place =
        tree.methods()[method].is_truncation
            ? ""
            : fmt::format("{} ({})",
                          is_guess ? index::AfterName(model::FrameKind::kCompiledOrInlined) : "",
                          tree.PlaceOf(method));
    const size_t width = index::CharacterCount(place);
    const size_t room = columns_ - 23 > width + 20 ? columns_ - 23 - width : 20;
    Add("  {:>11} {:>7}  {}{}\n", index::DurationUs(time_us),
        index::Share(time_us, tree.root().total_us), tree.NameOf(method, room), place);
  }

  // Innermost first, as in a stack trace. Omits the dispatching frames.
  void WritePath(const CallTree& tree) {
    constexpr uint64_t kPercent = 20;
    std::vector<uint32_t> path = index::HeaviestPath(tree, kPercent);
    path.erase(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(index::DispatchingFrames(
                                                tree, path, IsNested(tree.token()))));
    std::set<index::MethodId> seen;
    const size_t recursive = std::erase_if(
        path, [&](uint32_t node) { return !seen.insert(tree.nodes()[node].method).second; });
    std::reverse(path.begin(), path.end());
    const size_t skipped = path.size() > kMaxPathFrames ? path.size() - kMaxPathFrames : 0;
    for (size_t i = 0; i < path.size(); ++i) {
      if (i == kMaxPathFrames / 2 && skipped > 0) {
        Add("  {:>20}  ... {} more frames ...\n", "", index::Grouped(skipped));
        i += skipped;
      }
      const index::CallNode& node = tree.nodes()[path[i]];
      PathLine(tree, node.method, tree.SampledUs(path[i]));
    }
    if (const uint64_t unsampled_us = tree.root().total_us - tree.sampled_us(); unsampled_us > 0)
      Add("  {:>11} {:>7}  not sampled\n", index::DurationUs(unsampled_us),
          index::Share(unsampled_us, tree.root().total_us));
    if (recursive > 0)
      Add("  {:>20}  {} folded\n", "", index::Counted(recursive, "recursive frame"));
    std::vector<index::MethodId> hottest = tree.HottestMethods();
    hottest.resize(std::min(hottest.size(), kMaxMethods));
    std::erase_if(hottest,
                  [&tree](index::MethodId method) { return tree.methods()[method].self_us == 0; });
    if (hottest.size() < 2) return;
    Add("  Most self time:\n");
    for (const index::MethodId method : hottest)
      PathLine(tree, method, tree.methods()[method].self_us);
  }

  bool IsNested(Token token) const {
    const Message* message = index_.MessageOf(token);
    return message != nullptr && (message->flags & model::kMessageNested) != 0;
  }

  void WriteFuture() {
    Heading("FUTURE", "what waits in the queue");
    if (index_.IsOneLook()) return Add("  Not known: stacks of one moment only, no messages.\n");
    const std::string absence = PendingAbsence(document_);
    if (!absence.empty()) {
      Wrapped("  ", absence);
      return;
    }
    Wrapped("  ", PendingHead(document_));
    // Consecutive messages of a kind are one line with the first message.
    const std::span<const model::PendingMessage> pending = document_.pending;
    size_t lines = 0;
    for (size_t first = 0; first < pending.size(); ++lines) {
      if (lines == kMaxPending) {
        Add("  ... and {} more\n", index::Grouped(pending.size() - first));
        break;
      }
      const std::string text = PendingText(pending[first]);
      size_t end = first + 1;
      while (end < pending.size() && PendingText(pending[end]) == text) ++end;
      Add("  {:>5} {:>20}  {}{}\n", first, DueText(pending[first].delay_ms),
          Truncated(text, columns_ - 30),
          end == first + 1 ? "" : fmt::format(", {} in a row", index::Grouped(end - first)));
      first = end;
    }
  }

  void WriteFacts(std::string_view name, const Facts& facts) {
    bool is_first = true;
    for (const auto& [label, value] : facts) {
      if (IsNothing(value)) continue;
      if (is_first) Heading(name, "");
      is_first = false;
      Wrapped(fmt::format("  {:<34} ", label), value);
    }
  }

  void WriteFacts() {
    WriteFacts("FRAMES ON THE SCREEN", JankFacts(document_));
    WriteFacts("THREADS", ThreadFacts(document_));
    WriteFacts("AROUND", ContextFacts(document_));
    WriteFacts("SAID BY THE APPLICATION", AnnotationFacts(document_));
    WriteFacts("PROCESS", ProcessFacts(document_));
    if (index::IsImported(document_)) return;
    Heading("PROFILER HEALTH", "");
    Wrapped("  ", HealthText(document_));
  }

  const index::DumpIndex& index_;
  const judge::Verdict& verdict_;
  const Document& document_;
  size_t columns_;
  bool has_colour_;
  std::string out_;
};

}  // namespace

std::string TextReport(const index::DumpIndex& index, const judge::Verdict& verdict,
                       const TextLayout& layout) {
  return TextWriter(index, verdict, layout).Write();
}

}  // namespace stillframe::render
