// SPDX-License-Identifier: Apache-2.0
// Reads the lines on monitors in the report's text.
#include "tools/stillframe/rules/lock_owner.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "tools/stillframe/calltree/method_name.h"
#include "tools/stillframe/text/clean_text.h"

namespace stillframe::rules {
namespace {

constexpr size_t kLongest = 200;

// The lines of one thread: from its head to the next empty line.
std::string_view BlockAt(std::string_view text, size_t begin) {
  const std::string_view rest = text.substr(begin);
  return rest.substr(0, rest.find("\n\n"));
}

uint32_t NumberAfter(std::string_view text, std::string_view label) {
  const size_t at = text.find(label);
  uint32_t value = 0;
  if (at != std::string_view::npos) {
    const std::string_view digits = text.substr(at + label.size());
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
  }
  return value;
}

// The head of a thread is `"name" [daemon ]prio=5 tid=12 State`, and its tid is ART's own number:
// ART 10 to 14, runtime/thread.cc, Thread::DumpState.
std::string_view BlockOfThread(std::string_view text, uint32_t number) {
  for (size_t line = 0; line < text.size();) {
    const size_t end = std::min(text.find('\n', line), text.size());
    const std::string_view head = text.substr(line, end - line);
    if (head.starts_with('"') && NumberAfter(head, " tid=") == number) return BlockAt(text, line);
    line = end + 1;
  }
  return {};
}

// "a.B.c(B.java:3)" of each Java frame, the innermost first.
std::vector<std::string_view> FramesOf(std::string_view block) {
  constexpr std::string_view kMark = "  at ";
  std::vector<std::string_view> frames;
  for (size_t at = block.find(kMark); at != std::string_view::npos; at = block.find(kMark, at)) {
    at += kMark.size();
    frames.push_back(block.substr(at, block.find('\n', at) - at));
  }
  return frames;
}

std::string_view MainBlock(std::string_view text) {
  if (text.starts_with("\"main\"")) return BlockAt(text, 0);
  const size_t main_at = text.find("\n\"main\"");
  return main_at == std::string_view::npos ? "" : BlockAt(text, main_at + 1);
}

}  // namespace

std::string MainFrame(std::string_view text) {
  const std::vector<std::string_view> frames = FramesOf(MainBlock(text));
  const bool waits = std::any_of(frames.begin(), frames.end(), [](std::string_view frame) {
    return frame.starts_with("android.os.MessageQueue.nativePollOnce");
  });
  if (waits || frames.empty()) return {};
  const auto own = std::find_if_not(frames.begin(), frames.end(), calltree::IsPlatformClass);
  return text::Truncated(own == frames.end() ? frames.front() : *own, kLongest);
}

LockOwner FindLockOwner(std::string_view text) {
  // "- waiting to lock <0x0123> (a java.lang.Object) held by thread 12": ART 10 to 14,
  // runtime/monitor.cc, Monitor::DescribeWait and runtime/thread.cc, StackDumpVisitor.
  const std::string_view main_block = MainBlock(text);
  const size_t waits = main_block.find("- waiting to lock");
  if (waits == std::string_view::npos) return {};
  const std::string_view line = main_block.substr(waits, main_block.find('\n', waits) - waits);
  const uint32_t number = NumberAfter(line, "held by thread ");
  const std::string_view block = number == 0 ? "" : BlockOfThread(text, number);
  LockOwner owner;
  if (block.empty()) return owner;
  owner.thread = text::Truncated(block.substr(1, block.find('"', 1) - 1), kLongest);
  owner.tid = NumberAfter(block, "sysTid=");
  for (const std::string_view frame : FramesOf(block)) {
    if (owner.frame.empty()) owner.frame = text::Truncated(frame, kLongest);
    if (calltree::IsPlatformClass(frame)) continue;
    const std::string caller = text::Truncated(frame, kLongest);
    if (caller != owner.frame) owner.caller = caller;
    break;
  }
  return owner;
}

}  // namespace stillframe::rules
