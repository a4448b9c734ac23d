// SPDX-License-Identifier: Apache-2.0
// Reads the first process of a traces file, and the system's reason before it.
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "src/model/frame_table.h"
#include "src/model/thread_stacks.h"
#include "tools/stillframe/formats/field_import.h"
#include "tools/stillframe/formats/imported_message.h"

namespace stillframe::formats {
namespace {

using model::ThreadStack;
using model::ThreadState;
using model::WaitKind;

// The threads of a process in the text that ART writes on SIGQUIT.

constexpr size_t kMaxThreads = 4096;
constexpr size_t kMaxDepth = 1024;

constexpr std::array kStates = {
    std::pair{std::string_view("Runnable"), ThreadState::kRunnable},
    std::pair{std::string_view("Native"), ThreadState::kNative},
    std::pair{std::string_view("Blocked"), ThreadState::kBlocked},
    std::pair{std::string_view("Waiting"), ThreadState::kWaiting},
    std::pair{std::string_view("TimedWaiting"), ThreadState::kTimedWaiting},
    std::pair{std::string_view("Sleeping"), ThreadState::kSleeping},
    std::pair{std::string_view("Suspended"), ThreadState::kSuspended},
    std::pair{std::string_view("WaitingForGcToComplete"), ThreadState::kWaitingForGc},
    std::pair{std::string_view("WaitingWeakGcRootRead"), ThreadState::kWaitingForGc},
    std::pair{std::string_view("WaitingForGcThreadFlip"), ThreadState::kWaitingForGc},
    std::pair{std::string_view("WaitingForCheckPointsToRun"), ThreadState::kCollecting},
    std::pair{std::string_view("WaitingPerformingGc"), ThreadState::kCollecting},
    std::pair{std::string_view("WaitingForJniOnLoad"), ThreadState::kWaitingForLibrary},
};

std::string_view After(std::string_view text, std::string_view label) {
  const size_t at = text.find(label);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + label.size());
}

uint32_t NumberAfter(std::string_view text, std::string_view label, int base = 10) {
  const std::string_view digits = After(text, label);
  uint32_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  return value;
}

// `"db-writer" daemon prio=5 tid=12 Waiting`
bool ReadHead(std::string_view line, ThreadStack* stack, uint32_t* number) {
  const size_t end = line.rfind("\" ");
  if (!line.starts_with('"') || end == 0 || end == std::string_view::npos) return false;
  const std::string_view rest = After(line.substr(end), " tid=");
  *number = NumberAfter(line.substr(end), " tid=");
  if (*number == 0) return false;
  stack->name = line.substr(1, end - 1);
  const std::string_view state = After(rest, " ");
  const auto known = std::find_if(kStates.begin(), kStates.end(),
                                  [&](const auto& entry) { return entry.first == state; });
  stack->state = known == kStates.end() ? ThreadState::kOther : known->second;
  stack->source = model::StackSource::kStoodStill;
  return true;
}

// "  - waiting to lock <0x0123> (a java.lang.Object) held by thread 12": returns that thread's
// number, or 0 without a holder.
uint32_t ReadWait(std::string_view line, ThreadStack* stack) {
  const bool enters = line.starts_with("  - waiting to lock <");
  if (!enters && !line.starts_with("  - waiting on <")) return 0;
  const std::string_view type = After(line, "> (a ");
  stack->wait = enters ? WaitKind::kMonitor : WaitKind::kObject;
  stack->wait_class = type.substr(0, type.find(')'));
  stack->wait_object = NumberAfter(line, "<0x", 16);
  return enters ? NumberAfter(line, " held by thread ") : 0;
}

void ReadFrame(std::string_view line, ThreadStack* stack, model::FrameTable* frames) {
  const std::string_view frame = After(line, "  at ");
  const size_t open = frame.find('(');
  if (open == std::string_view::npos || stack->frames.size() >= kMaxDepth) return;
  const std::string_view place = frame.substr(open + 1);
  stack->frames.push_back(
      AddFrame(frame.substr(0, open), place.substr(0, place.rfind(')')), frames));
}

class TraceThreads {
 public:
  explicit TraceThreads(model::FrameTable* frames) : frames_(frames) {}

  void Take(std::string_view line) {
    ThreadStack head;
    uint32_t number = 0;
    if (ReadHead(line, &head, &number)) {
      is_open_ = stacks_.size() < kMaxThreads;
      if (!is_open_) return;
      numbers_.push_back(number);
      waits_for_.push_back(0);
      stacks_.push_back(std::move(head));
    } else if (line.empty()) {
      is_open_ = false;
    } else if (is_open_) {
      ThreadStack& stack = stacks_.back();
      if (line.find("| sysTid=") != std::string_view::npos)
        stack.tid = NumberAfter(line, "sysTid=");
      else if (line.starts_with("  at "))
        ReadFrame(line, &stack, frames_);
      else if (const uint32_t other = ReadWait(line, &stack))
        waits_for_.back() = other;
    }
  }

  model::ThreadStacks Finish() && {
    std::map<uint32_t, uint32_t> tids;
    for (size_t i = 0; i < stacks_.size(); ++i) tids.emplace(numbers_[i], stacks_[i].tid);
    for (size_t i = 0; i < stacks_.size(); ++i) {
      const auto owner = tids.find(waits_for_[i]);
      if (waits_for_[i] != 0 && owner != tids.end()) stacks_[i].wait_tid = owner->second;
    }
    const auto main = std::find_if(stacks_.begin(), stacks_.end(),
                                   [](const ThreadStack& stack) { return stack.name == "main"; });
    if (main != stacks_.end()) std::rotate(stacks_.begin(), main, main + 1);
    model::ThreadStacks found;
    found.threads = static_cast<uint32_t>(stacks_.size());
    found.stacks = std::move(stacks_);
    return found;
  }

 private:
  model::FrameTable* frames_;
  bool is_open_ = false;
  std::vector<ThreadStack> stacks_;
  std::vector<uint32_t> numbers_;    // ART's own, by thread
  std::vector<uint32_t> waits_for_;  // ART's number of the owner, by thread; 0: unknown
};

// All threads with their Java stacks and waits, "main" first. The runtime had suspended them.
// Unknown lines are skipped. Source: ART 10 to 14, runtime/thread.cc, Thread::DumpState and
// StackDumpVisitor; runtime/monitor.cc, Monitor::DescribeWait.
model::ThreadStacks StacksOfTraces(std::string_view text, model::FrameTable* frames) {
  TraceThreads threads(frames);
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    threads.Take(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::move(threads).Finish();
}

constexpr size_t kMaxText = 4U << 20U;
constexpr std::string_view kBegin = "----- pid ";

// The remainder of the first line with this label; "": none.
std::string_view LineAfter(std::string_view text, std::string_view label) {
  size_t at = text.starts_with(label) ? 0 : std::string_view::npos;
  if (at != 0) {
    at = text.find("\n" + std::string(label));
    if (at == std::string_view::npos) return {};
    ++at;
  }
  const std::string_view rest = text.substr(at + label.size());
  const std::string_view line = rest.substr(0, rest.find('\n'));
  return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

}  // namespace

bool ImportAnrTraces(std::string_view text, model::Document* document, std::string* error) {
  const size_t begin = text.find(kBegin);
  const std::string_view process = begin == std::string_view::npos ? "" : text.substr(begin);
  const std::string_view own = process.substr(0, process.find("\n----- end "));
  if (own.find("\"main\" ") == std::string_view::npos) {
    *error =
        "has no process with a main thread; give a file of /data/anr, or a bug report with "
        "'VM TRACES AT LAST ANR'";
    return false;
  }
  const std::string_view id = own.substr(kBegin.size());
  std::from_chars(id.data(), id.data() + id.size(), document->identity.pid);
  document->format_version = 1;
  document->trigger = model::Trigger::kSigquit;
  document->trigger_confirmed = "the system's own traces of an ANR";
  // AOSP 11 and later write it before the first process. Bug reports have it in the event log.
  document->system_reason = LineAfter(text.substr(0, begin), "Subject: ");
  document->identity.process_name = LineAfter(own, "Cmd line: ");
  document->identity.sampler_state = "imported from the system's traces";
  document->identity.tap = "imported";
  document->taken_monotonic_ns = 1'000'000'000;
  const std::string_view kept = own.substr(0, kMaxText);
  document->frames = FramesFor(kept);
  document->thread_stacks = StacksOfTraces(kept, &document->frames);
  model::SignalCatcherText& traces = document->signal_catcher.emplace();
  traces.source = "a file of traces";
  traces.full_bytes = own.size();
  traces.text = kept;
  return true;
}

}  // namespace stillframe::formats
