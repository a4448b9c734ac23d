// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/rules/wait_chain.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/stillframe/calltree/method_name.h"
#include "tools/stillframe/text/clean_text.h"

namespace stillframe::rules {
namespace {

using index::DumpIndex;
using model::ThreadStack;
using model::WaitKind;
using trace::ThreadState;
using verdict::WaitChain;
using verdict::Waiter;

constexpr size_t kMaxThreads = 32;
constexpr size_t kMaxFrames = 64;
constexpr size_t kMaxCandidates = 3;
constexpr size_t kLongest = 200;

// Of a synchronizer the class around it: "java.util.concurrent.locks.ReentrantLock".
std::string LockClass(const std::string& name) {
  const size_t inner = name.find('$');
  return inner != std::string::npos && name.ends_with("Sync") ? name.substr(0, inner) : name;
}

std::string WaitsFor(const ThreadStack& stack) {
  const std::string name = text::Truncated(LockClass(stack.wait_class), kLongest);
  switch (stack.wait) {
    case WaitKind::kNone: return {};
    case WaitKind::kMonitor: return name.empty() ? "a monitor" : "the monitor of " + name;
    case WaitKind::kObject: return name.empty() ? "a notification" : "a notification of " + name;
    case WaitKind::kPark: return name.empty() ? "a permit" : name;
    case WaitKind::kSynchronizer: return name.empty() ? "a lock" : "a lock of " + name;
    case WaitKind::kFuture: return "the result of " + (name.empty() ? "a task" : name);
    case WaitKind::kJoin: return "the end of a thread";
    case WaitKind::kClassInit:
      return "the initialisation of " + (name.empty() ? "a class" : "class " + name);
  }
  return {};
}

// The class around all inner ones.
std::string_view TopClass(std::string_view name) { return name.substr(0, name.find('$')); }

class ChainFinder {
 public:
  explicit ChainFinder(const DumpIndex& index)
      : index_(index), document_(index.document()), stacks_(document_.thread_stacks->stacks) {}

  WaitChain Find() {
    const ThreadStack* next = StackOf(MainTid(document_));
    if (next == nullptr || next->wait == WaitKind::kNone) return {};
    std::vector<uint32_t> tids;
    const ThreadStack* last = nullptr;
    for (; next != nullptr && tids.size() < kMaxThreads; next = StackOf(next->wait_tid)) {
      const auto seen = std::find(tids.begin(), tids.end(), next->tid);
      if (seen != tids.end()) {
        chain_.loop = static_cast<size_t>(seen - tids.begin());
        break;
      }
      tids.push_back(next->tid);
      chain_.threads.push_back(Describe(*next));
      last = next;
    }
    if (last->wait != WaitKind::kNone && last->wait_tid == 0) {
      AddCandidates(*last, tids);
      if (tids.size() > 1) chain_.in_queue = InQueue(*last);
    }
    return std::move(chain_);
  }

 private:
  const ThreadStack* StackOf(uint32_t tid) const {
    const auto found =
        std::find_if(stacks_.begin(), stacks_.end(),
                     [tid](const ThreadStack& stack) { return tid != 0 && stack.tid == tid; });
    return found == stacks_.end() ? nullptr : &*found;
  }

  // A message that is due in the main thread's queue and may be what ends the wait: it is of the
  // class of the object that is waited at (Handler.runWithScissors does so), or of the code that
  // waits.
  std::string InQueue(const ThreadStack& waiting) const {
    const trace::FrameId* own = OwnFrame(waiting);
    const std::string_view top = own == nullptr ? "" : TopClass(document_.frames.ClassName(*own));
    for (const model::PendingMessage& message : document_.pending) {
      if (message.is_barrier || message.delay_ms > 0 || message.callback.empty()) continue;
      const bool is_object = message.callback == waiting.wait_class;
      if (is_object || (!top.empty() && TopClass(message.callback) == top))
        return index::PendingDispatch(message);
    }
    return {};
  }

  // The innermost frame of the application; null when there is none.
  const trace::FrameId* OwnFrame(const ThreadStack& stack) const {
    const auto own = std::find_if(
        stack.frames.begin(), stack.frames.end(),
        [this](trace::FrameId id) { return index_.own().Has(document_.frames.ClassName(id)); });
    return own == stack.frames.end() ? nullptr : &*own;
  }

  Waiter Describe(const ThreadStack& stack) const {
    Waiter waiter;
    waiter.tid = stack.tid;
    waiter.thread = text::Truncated(stack.name, 100);
    waiter.wait = stack.wait;
    waiter.is_timed = stack.wait != WaitKind::kNone && stack.state == ThreadState::kTimedWaiting;
    waiter.waits_for = WaitsFor(stack);
    if (const trace::FrameId* own = OwnFrame(stack))
      waiter.own_frame = calltree::FrameText(document_.frames, *own, kLongest);
    for (size_t i = 0; i < std::min(stack.frames.size(), kMaxFrames); ++i)
      waiter.stack.push_back(calltree::FrameText(document_.frames, stack.frames[i], kLongest));
    return waiter;
  }

  // Threads that are in code of the class that waits: those that it gave the work to, mostly.
  void AddCandidates(const ThreadStack& waiting, const std::vector<uint32_t>& tids) {
    const trace::FrameId* own = OwnFrame(waiting);
    if (own == nullptr) return;
    const std::string_view top = TopClass(document_.frames.ClassName(*own));
    for (const ThreadStack& stack : stacks_) {
      const bool is_there = std::any_of(
          stack.frames.begin(), stack.frames.end(),
          [&](trace::FrameId id) { return TopClass(document_.frames.ClassName(id)) == top; });
      const bool is_same = stack.wait_object != 0 && stack.wait_object == waiting.wait_object;
      if (!is_there || is_same || std::find(tids.begin(), tids.end(), stack.tid) != tids.end())
        continue;
      chain_.candidates.push_back(Describe(stack));
      if (chain_.candidates.size() == kMaxCandidates) return;
    }
  }

  const DumpIndex& index_;
  const model::Document& document_;
  const std::vector<ThreadStack>& stacks_;
  WaitChain chain_;
};

std::string ThreadText(const WaitChain& chain, size_t i) {
  return i == 0 ? "the main thread"
                : fmt::format("thread {} (tid {})", chain.threads[i].thread, chain.threads[i].tid);
}

// What it waits for, and the thread that can end that.
std::string LinkText(const Waiter& waiter, const std::string& other) {
  switch (waiter.wait) {
    case WaitKind::kJoin: return "the end of " + other;
    case WaitKind::kClassInit:
    case WaitKind::kFuture: return fmt::format("{}, run by {}", waiter.waits_for, other);
    default: return fmt::format("{}, held by {}", waiter.waits_for, other);
  }
}

// "in app.Store.save (Store.java:3)"
std::string Whereabouts(const Waiter& waiter) {
  if (waiter.stack.empty()) return "in no managed code";
  const std::string& inner = waiter.stack.front();
  return waiter.own_frame.empty() || waiter.own_frame == inner
             ? "in " + inner
             : fmt::format("in {}, called from {}", inner, waiter.own_frame);
}

}  // namespace

uint32_t MainTid(const model::Document& document) {
  return document.loopers.empty() ? document.identity.pid : document.loopers[0].tid;
}

WaitChain ChainOf(const DumpIndex& index) {
  return index.document().thread_stacks ? ChainFinder(index).Find() : WaitChain();
}

bool IsMainStillIn(const WaitChain& chain, const std::string& method, const std::string& leaf) {
  if (chain.threads.empty()) return false;
  if (chain.is_deadlock() || chain.threads[0].stack.empty()) return true;
  const auto has = [&stack = chain.threads[0].stack](const std::string& name) {
    return std::ranges::any_of(
        stack, [&name](const std::string& frame) { return frame.starts_with(name + " ("); });
  };
  return has(method) && has(leaf);
}

std::string ChainText(const WaitChain& chain) {
  std::string text;
  for (size_t i = 0; i < chain.threads.size(); ++i) {
    const size_t next = i + 1 < chain.threads.size() ? i + 1 : chain.loop;
    if (next == WaitChain::kNone) break;
    text += i == 0                      ? ""
            : chain.threads[i].is_timed ? ", which itself waits, for a limited time, for "
                                        : ", which itself waits for ";
    text += LinkText(chain.threads[i], ThreadText(chain, next));
  }
  if (chain.is_timed_circle())
    text += ": a circle, which only the end of a limited wait breaks";
  else if (!text.empty() && !chain.in_queue.empty())
    text += fmt::format(", which may itself wait, {}, for {} in the main thread's queue",
                        chain.threads.back().is_timed ? "for a limited time" : "without a limit",
                        chain.in_queue);
  return text;
}

std::vector<std::string> ChainEvidence(const WaitChain& chain) {
  std::vector<std::string> evidence;
  for (size_t i = 1; i < chain.threads.size(); ++i) {
    const Waiter& waiter = chain.threads[i];
    evidence.push_back(fmt::format("At the dump thread {} (tid {}) was {}.", waiter.thread,
                                   waiter.tid, Whereabouts(waiter)));
  }
  if (chain.threads.size() == 1 && !chain.is_circle()) {
    evidence.push_back(fmt::format("It waited for {}; which thread can end that is not known.",
                                   chain.threads[0].waits_for));
  }
  for (const Waiter& waiter : chain.candidates) {
    evidence.push_back(fmt::format("A candidate is thread {} (tid {}): it was {}.", waiter.thread,
                                   waiter.tid, Whereabouts(waiter)));
  }
  return evidence;
}

}  // namespace stillframe::rules
