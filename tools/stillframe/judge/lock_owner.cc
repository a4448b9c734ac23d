// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/judge/lock_owner.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <vector>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/known_code.h"
#include "tools/stillframe/index/method_name.h"

namespace stillframe::judge {
namespace {

using model::LockWait;

// A blocked sample this near a stretch belongs to it: the thread was entering or leaving the
// monitor.
constexpr uint64_t kNearUs = 50'000;
constexpr size_t kMostEvidence = 4;
constexpr size_t kLongestName = 100;
constexpr size_t kLongestClass = 160;

// The stretch's blocked time within [from_us, until_us).
uint64_t BlockedIn(const LockWait& wait, uint64_t from_us, uint64_t until_us) {
  const uint64_t begin_us = std::max<uint64_t>(wait.from_us, from_us);
  const uint64_t end_us = std::min<uint64_t>(wait.until_us, until_us);
  if (begin_us >= end_us) return 0;
  const uint64_t length_us = wait.until_us - wait.from_us;
  const uint64_t blocked_us = std::min<uint64_t>(wait.blocked_us, length_us);
  return std::max<uint64_t>(1, blocked_us * (end_us - begin_us) / length_us);
}

// One thread's lines: from its head to the next empty line.
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

// A thread's head is `"name" [daemon ]prio=5 tid=12 State`, where tid is ART's own number: ART 10
// to 14, runtime/thread.cc, Thread::DumpState.
std::string_view BlockOfThread(std::string_view text, uint32_t number) {
  for (size_t line = 0; line < text.size();) {
    const size_t end = std::min(text.find('\n', line), text.size());
    const std::string_view head = text.substr(line, end - line);
    if (head.starts_with('"') && NumberAfter(head, " tid=") == number) return BlockAt(text, line);
    line = end + 1;
  }
  return {};
}

// "a.B.c(B.java:3)" of each Java frame, innermost first.
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

// "a.B" of "a.B.c(B.java:1)".
std::string_view ClassOf(std::string_view frame) {
  const std::string_view method = frame.substr(0, frame.find('('));
  return method.substr(0, method.rfind('.'));
}

// ART's "a.B.c(B.java:1)" as the rest of the report writes frames: "a.B.c (B.java:1)".
std::string TextOfFrame(std::string_view frame) {
  std::string text(frame);
  const size_t place = text.find('(');
  if (place != std::string::npos && place != 0 && text[place - 1] != ' ') text.insert(place, " ");
  return index::Truncated(text, kLongestText);
}

}  // namespace

judge::Thread OwnerOf(const std::string& name, uint32_t tid) {
  return {index::Truncated(name, kLongestName), tid};
}

const LockWait* LockShares::Nearest(uint64_t from_us, uint64_t until_us) const {
  const LockWait* nearest = nullptr;
  uint64_t nearest_us = kNearUs;
  for (const LockWait& wait : message_.lock_waits) {
    const uint64_t apart_us = wait.from_us >= until_us   ? wait.from_us - until_us
                              : from_us >= wait.until_us ? from_us - wait.until_us
                                                         : 0;
    if (apart_us > nearest_us) continue;
    nearest_us = apart_us;
    nearest = &wait;
  }
  return nearest;
}

// Stretches with the largest blocked share first. A stretch merged from several gets its time where
// the denser ones leave some.
std::vector<std::pair<double, const LockWait*>> LockShares::DensestIn(uint64_t from_us,
                                                                      uint64_t until_us) const {
  std::vector<std::pair<double, const LockWait*>> waits;
  for (const LockWait& wait : message_.lock_waits)
    if (wait.from_us < until_us && from_us < wait.until_us && wait.from_us < wait.until_us)
      waits.emplace_back(static_cast<double>(wait.blocked_us) / (wait.until_us - wait.from_us),
                         &wait);
  std::ranges::stable_sort(waits, std::greater<>(), &std::pair<double, const LockWait*>::first);
  return waits;
}

std::vector<std::pair<judge::Thread, uint64_t>> LockShares::Of(uint64_t from_us, uint64_t until_us,
                                                               uint64_t us) const {
  if (message_.lock_waits.empty())
    return {{OwnerOf(message_.lock_owner, message_.lock_owner_tid), us}};
  std::vector<std::pair<judge::Thread, uint64_t>> shares;
  uint64_t sum_us = 0;
  uint64_t free_us = until_us - std::min(from_us, until_us);
  for (const auto& [part, wait_at] : DensestIn(from_us, until_us)) {
    const LockWait& wait = *wait_at;
    const uint64_t blocked_us = std::min(BlockedIn(wait, from_us, until_us), free_us);
    if (blocked_us == 0) continue;
    free_us -= blocked_us;
    sum_us += blocked_us;
    const judge::Thread who = OwnerOf(wait.owner, wait.owner_tid);
    const auto known = std::ranges::find(shares, who, &std::pair<judge::Thread, uint64_t>::first);
    if (known == shares.end())
      shares.emplace_back(who, blocked_us);
    else
      known->second += blocked_us;
  }
  if (shares.empty()) {
    const LockWait* nearest = Nearest(from_us, until_us);
    return {
        {nearest == nullptr ? judge::Thread() : OwnerOf(nearest->owner, nearest->owner_tid), us}};
  }
  uint64_t left_us = us;
  for (auto& [who, part_us] : shares) {
    part_us = static_cast<uint64_t>(static_cast<__uint128_t>(us) * part_us / sum_us);
    left_us -= part_us;
  }
  shares.front().second += left_us;  // the rounding remainder
  return shares;
}

void AddHolders(const model::Message& message, judge::Verdict* verdict) {
  std::map<std::pair<judge::Thread, std::string>, uint64_t> held;
  for (const LockWait& wait : message.lock_waits) {
    const judge::Thread who = OwnerOf(wait.owner, wait.owner_tid);
    if (!who.name.empty() &&
        std::ranges::find(verdict->threads, who.name) == verdict->threads.end())
      verdict->threads.push_back(who.name);
    if (wait.lock_class.empty() || !who.is_known()) continue;
    held[{who, index::Truncated(wait.lock_class, kLongestClass)}] += wait.blocked_us;
  }
  std::vector<evidence::Holder> sorted;
  sorted.reserve(held.size());
  for (const auto& [key, us] : held)
    sorted.push_back({.thread = key.first, .lock_class = key.second, .held_ns = us * 1000});
  std::ranges::stable_sort(sorted, std::greater<>(), &evidence::Holder::held_ns);
  sorted.resize(std::min(sorted.size(), kMostEvidence));
  for (evidence::Holder& each : sorted) verdict->evidence.push_back(std::move(each));
}

std::string MainFrame(std::string_view text) {
  const std::vector<std::string_view> frames = FramesOf(MainBlock(text));
  const bool waits = std::any_of(frames.begin(), frames.end(), [](std::string_view frame) {
    return frame.starts_with("android.os.MessageQueue.nativePollOnce");
  });
  if (waits || frames.empty()) return {};
  const auto own = std::find_if_not(frames.begin(), frames.end(), index::IsPlatformClass);
  return TextOfFrame(own == frames.end() ? frames.front() : *own);
}

LockOwner FindLockOwner(const index::DumpIndex& index, const Helpers& helpers,
                        std::string_view text) {
  // "- waiting to lock <0x0123> (a java.lang.Object) held by thread 12", and "- locked <0x0123> (a
  // java.lang.Object)" below the frame that did: ART 10 to 14, runtime/monitor.cc,
  // Monitor::DescribeWait and runtime/thread.cc, StackDumpVisitor.
  constexpr std::string_view kWaits = "- waiting to lock ";
  const std::string_view main_block = MainBlock(text);
  const size_t waits = main_block.find(kWaits);
  if (waits == std::string_view::npos) return {};
  const std::string_view line = main_block.substr(waits, main_block.find('\n', waits) - waits);
  const uint32_t number = NumberAfter(line, "held by thread ");
  const std::string_view block = number == 0 ? "" : BlockOfThread(text, number);
  LockOwner owner;
  if (block.empty()) return owner;
  owner.thread =
      OwnerOf(std::string(block.substr(1, block.find('"', 1) - 1)), NumberAfter(block, "sysTid="));
  const std::string_view address =
      line.substr(kWaits.size(), line.find(' ', kWaits.size()) - kWaits.size());
  const size_t locked = block.find(std::string("- locked ").append(address));
  std::vector<std::string_view> frames = FramesOf(block);
  owner.is_guess = locked == std::string_view::npos || !address.starts_with('<');
  if (frames.empty()) return owner;
  const size_t inner = owner.is_guess ? 0 : FramesOf(block.substr(0, locked)).size();
  const auto entered = frames.begin() + static_cast<ptrdiff_t>(std::max<size_t>(inner, 1) - 1);
  // From what is known of the monitor outwards.
  const auto is_own = [&index](std::string_view frame) {
    return !index::IsPlatformClass(frame) && index.own().Has(ClassOf(frame));
  };
  const auto is_wrapper = [&](std::string_view frame) {
    return index::IsUtility(ClassOf(frame)) || helpers.Has(index.document().frames, frame);
  };
  const auto own = std::find_if(entered, frames.end(), is_own);
  const auto caller = std::find_if(own, frames.end(), [&](std::string_view frame) {
    return is_own(frame) && !is_wrapper(frame);
  });
  const bool is_wrapped = own != frames.end() && is_wrapper(*own) && caller != frames.end();
  const auto guess = std::ranges::find_if_not(frames, index::IsPlatformClass);
  owner.frame = TextOfFrame(is_wrapped && (owner.is_guess || own == entered) ? *caller
                            : !owner.is_guess                                ? *entered
                            : guess == frames.end()                          ? frames[0]
                                                                             : *guess);
  return owner;
}

}  // namespace stillframe::judge
