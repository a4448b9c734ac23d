// SPDX-License-Identifier: Apache-2.0
// Reads the lines on monitors in the report's text.
#include "tools/stillframe/rules/lock_owner.h"

#include <algorithm>
#include <charconv>

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

}  // namespace

LockOwner FindLockOwner(std::string_view text) {
  const size_t main_at = text.starts_with("\"main\"") ? 0 : text.find("\n\"main\"");
  if (main_at == std::string_view::npos) return {};
  // "- waiting to lock <0x0123> (a java.lang.Object) held by thread 12": ART 10 to 14,
  // runtime/monitor.cc, Monitor::DescribeWait and runtime/thread.cc, StackDumpVisitor.
  const std::string_view main_block = BlockAt(text, main_at + (main_at == 0 ? 0 : 1));
  const size_t waits = main_block.find("- waiting to lock");
  if (waits == std::string_view::npos) return {};
  const std::string_view line = main_block.substr(waits, main_block.find('\n', waits) - waits);
  const uint32_t number = NumberAfter(line, "held by thread ");
  const std::string_view block = number == 0 ? "" : BlockOfThread(text, number);
  LockOwner owner;
  if (block.empty()) return owner;
  owner.thread = text::Truncated(block.substr(1, block.find('"', 1) - 1), kLongest);
  owner.tid = NumberAfter(block, "sysTid=");
  const size_t frame = block.find("  at ");
  if (frame != std::string_view::npos) {
    const std::string_view rest = block.substr(frame + 5);
    owner.frame = text::Truncated(rest.substr(0, rest.find('\n')), kLongest);
  }
  return owner;
}

}  // namespace stillframe::rules
