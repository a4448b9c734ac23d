// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/phone/live_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/dispatch.h"
#include "tools/stillframe/index/figures.h"

namespace stillframe::live {
namespace {

constexpr size_t kMaxBarColumns = 24;
constexpr size_t kLeastBarColumns = 8;
constexpr size_t kLeastTextColumns = 40;  // minimum before a bar is drawn
constexpr size_t kStackColumn = 15;
constexpr size_t kMaxFrames = 12;  // below a line
constexpr std::array kClassNames = {"quick", "normal", "slow", "frame", "system", "idle"};
// Green, yellow, red, cyan, magenta, grey.
constexpr std::array kClassColours = {32, 33, 31, 36, 35, 90};

std::string Text(const LiveEvent& event) {
  if (event.packet.kind == Kind::kIdle) return "nothing to do";
  if (!event.stack.empty()) return "in " + event.stack.front();
  model::Message message;
  message.target = event.target;
  message.what = event.packet.what;
  message.flags = event.packet.flags;
  if (event.packet.kind == Kind::kSegment) message.segment.kind = model::SegmentKind::kUnknown;
  model::CallbackOrMethod(message) = event.callback;
  std::string text = event.target.empty() && event.callback.empty()
                         ? "not known until it ends"
                         : index::DispatchText(index::DispatchOf(message, nullptr));
  const bool is_run = event.packet.kind == Kind::kQuickRun || event.packet.kind == Kind::kOpenRun;
  if (is_run) {
    const std::string count = index::Counted(event.packet.messages, "message");
    text = event.packet.kind == Kind::kOpenRun ? count : count + ", last " + text;
  }
  return text;
}

std::string StackLine(const LiveEvent& event, size_t frame) {
  return std::string(kStackColumn, ' ') + "at " + event.stack[frame];
}

}  // namespace

void LiveView::Add(const LiveEvent& event) {
  const Packet& packet = event.packet;
  dropped_ = packet.dropped;
  switch (packet.kind) {
    case Kind::kProcess:
      process_ = index::Truncated(event.name, 60);
      pid_ = NumberOf(packet.token);
      begin_ns_ = packet.start_ns;
      slow_ns_ = packet.work_ns;
      return;
    case Kind::kRunning: running_[packet.looper] = event; return;
    case Kind::kOpenRun: open_[packet.looper] = event; return;
    case Kind::kMessage:
    case Kind::kQuickRun:
    case Kind::kSegment:
    case Kind::kIdle: break;
  }
  messages_ += packet.kind == Kind::kIdle ? 0 : packet.messages;
  slow_ += ClassOf(event) == Class::kSlow ? 1U : 0U;
  // Idle until the next event.
  running_.erase(packet.looper);
  open_.erase(packet.looper);
  ended_.push_front(event);
  if (ended_.size() > kMaxRows) ended_.pop_back();
}

LiveView::Class LiveView::ClassOf(const LiveEvent& event) const {
  switch (event.packet.kind) {
    case Kind::kIdle: return Class::kIdle;
    case Kind::kQuickRun:
    case Kind::kOpenRun: return Class::kQuick;
    default: break;
  }
  if (event.packet.work_ns >= slow_ns_) return Class::kSlow;
  if (event.target == model::kSystemTarget) return Class::kSystem;
  return event.callback.starts_with("android.view.Choreographer$") ? Class::kFrame : Class::kNormal;
}

// "   1.234 s  main            slow       152 ms  cpu  98 %"
std::string LiveView::Facts(const LiveEvent& event) const {
  const Packet& packet = event.packet;
  const double at_s = (static_cast<double>(packet.start_ns) - static_cast<double>(begin_ns_)) / 1e9;
  // A run's CPU time includes what ran in between, so it is not shown.
  const std::string cpu =
      (packet.kind != Kind::kMessage && packet.kind != Kind::kSegment) || packet.cpu_ns < 0
          ? ""
          : index::Share(static_cast<uint64_t>(packet.cpu_ns), packet.work_ns);
  return fmt::format("{:>9.3f} s  {:<15} {:<6} {:>9} ms {:>6}", at_s,
                     index::Truncated(event.name, 15),
                     kClassNames[static_cast<size_t>(ClassOf(event))],
                     index::Milliseconds(static_cast<int64_t>(packet.work_ns)), cpu);
}

std::string LiveView::Lines(const LiveEvent& event) {
  switch (event.packet.kind) {
    case Kind::kProcess:
      return fmt::format("process {} {}: seconds from now on, Looper, class, time, CPU, message\n",
                         pid_, process_);
    case Kind::kRunning: {
      const uint64_t seconds = event.packet.work_ns / 1'000'000'000;
      Tick& tick = ticks_[event.packet.looper];
      const bool is_shown = tick.token == event.packet.token && tick.seconds >= seconds;
      if (event.packet.token == Token::kNone || seconds == 0 || is_shown) return {};
      tick = {event.packet.token, seconds};
      std::string lines =
          Facts(event) + "  still running" + (event.stack.empty() ? ": " + Text(event) : "") + "\n";
      for (size_t i = 0; i < std::min(event.stack.size(), kMaxFrames); ++i)
        lines += StackLine(event, i) + "\n";
      return lines;
    }
    case Kind::kOpenRun: return {};
    default: return Facts(event) + "  " + Text(event) + "\n";
  }
}

std::string LiveView::SlowLines(const LiveEvent& event) {
  switch (event.packet.kind) {
    case Kind::kQuickRun:
    case Kind::kOpenRun:
    case Kind::kIdle: return {};
    case Kind::kMessage:
    case Kind::kSegment: return ClassOf(event) == Class::kSlow ? Lines(event) : std::string();
    default: return Lines(event);
  }
}

std::string LiveView::Row(const LiveEvent& event, size_t columns, uint64_t longest_ns) const {
  const std::string facts = Facts(event) + " ";
  const size_t used = index::CharacterCount(facts);
  if (used >= columns) return index::Truncated(facts, columns) + "\n";
  size_t left = columns - used;
  std::string bar;
  if (left > kLeastTextColumns + kLeastBarColumns) {
    const size_t bar_columns = std::min(left - kLeastTextColumns, kMaxBarColumns);
    const auto part = static_cast<double>(event.packet.work_ns) /
                      static_cast<double>(std::max<uint64_t>(longest_ns, 1));
    const auto filled =
        static_cast<size_t>(std::clamp(part, 0.0, 1.0) * static_cast<double>(bar_columns));
    for (size_t i = 0; i + 1 < bar_columns; ++i) bar += i < std::max<size_t>(filled, 1) ? "█" : " ";
    bar += " ";
    left -= bar_columns;
  }
  const int colour = kClassColours[static_cast<size_t>(ClassOf(event))];
  const std::string text = index::Truncated(Text(event), left);
  return bar.empty() ? fmt::format("\x1b[{}m{}\x1b[0m{}\n", colour, facts, text)
                     : fmt::format("{}\x1b[{}m{}\x1b[0m{}\n", facts, colour, bar, text);
}

std::string LiveView::Table(size_t rows, size_t columns) const {
  std::vector<const LiveEvent*> shown;
  for (const auto& [looper, event] : running_)
    if (event.packet.token != Token::kNone) shown.push_back(&event);
  const size_t now = shown.size();
  for (const auto& [looper, event] : open_)
    if (event.packet.messages != 0) shown.push_back(&event);
  for (const LiveEvent& event : ended_) shown.push_back(&event);
  // Half of the screen is for the stack below the first row, which already names the innermost
  // frame.
  const size_t room = rows > 2 ? rows - 2 : 1;
  size_t frames = 0;
  if (now > 0) frames = std::min({shown.front()->stack.size(), kMaxFrames, room / 2 + 1});
  const size_t stack_rows = frames > 0 ? frames - 1 : 0;
  shown.resize(std::min(shown.size(), room - stack_rows));
  uint64_t longest_ns = 0;
  for (const LiveEvent* event : shown) {
    longest_ns =
        std::max(longest_ns, event->packet.kind == Kind::kIdle ? 0 : event->packet.work_ns);
  }
  const std::string facts = fmt::format(
      " ({}): {}, {} slow{}; newest first, {} running now", pid_,
      index::Counted(messages_, "message"), index::Grouped(slow_),
      dropped_ == 0 ? "" : fmt::format(", {} not shown in time", index::Grouped(dropped_)), now);
  const size_t name_columns = columns - std::min(columns, index::CharacterCount(facts));
  std::string out =
      index::Truncated(index::Truncated(process_, name_columns) + facts, columns) + "\n";
  for (const LiveEvent* event : shown) {
    out += Row(*event, columns, longest_ns);
    for (size_t i = 1; event == shown.front() && i < frames; ++i)
      out += index::Truncated(StackLine(*event, i), columns) + "\n";
  }
  return out;
}

}  // namespace stillframe::live
