// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/judge/wait_chain.h"

#include <algorithm>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/known_code.h"
#include "tools/stillframe/index/method_name.h"

namespace stillframe::judge {
namespace {

using index::DumpIndex;
using model::ThreadStack;
using model::ThreadState;
using model::WaitKind;

constexpr size_t kMaxThreads = 32;
constexpr size_t kMaxFrames = 64;
constexpr size_t kMaxCandidates = 3;

// A synchronizer's enclosing class: "java.util.concurrent.locks.ReentrantLock".
std::string LockClass(const std::string& name) {
  const size_t inner = name.find('$');
  return inner != std::string::npos && name.ends_with("Sync") ? name.substr(0, inner) : name;
}

class ChainFinder {
 public:
  ChainFinder(const DumpIndex& index, const Helpers& helpers)
      : index_(index),
        helpers_(helpers),
        document_(index.document()),
        stacks_(document_.thread_stacks->stacks) {}

  // Learns the helpers from all of the dump's stacks.
  ChainFinder& Learn() {
    helpers_ = AllHelpers(index_, std::move(helpers_));
    return *this;
  }

  WaitChain Find() {
    const ThreadStack* next = StackOf(MainTid(document_));
    if (next == nullptr || next->wait == WaitKind::kNone) return {};
    std::vector<uint32_t> tids;
    const ThreadStack* last = nullptr;
    for (; next != nullptr && tids.size() < kMaxThreads; next = StackOf(next->wait_tid)) {
      const auto seen = std::find(tids.begin(), tids.end(), next->tid);
      if (seen != tids.end() && next == last) break;  // it holds what it waits for: misread
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

  Waiter One(const ThreadStack& stack) const { return Describe(stack); }

 private:
  const ThreadStack* StackOf(uint32_t tid) const {
    const auto found =
        std::find_if(stacks_.begin(), stacks_.end(),
                     [tid](const ThreadStack& stack) { return tid != 0 && stack.tid == tid; });
    return found == stacks_.end() ? nullptr : &*found;
  }

  // A due message in the main thread's queue that may end the wait. Its class is that of the
  // awaited object (as with Handler.runWithScissors), or that of the waiting code.
  std::string InQueue(const ThreadStack& waiting) const {
    const model::FrameId* own = OwnFrame(waiting);
    const std::string_view top =
        own == nullptr ? "" : index::TopClass(document_.frames.ClassName(*own));
    for (const model::PendingMessage& message : document_.pending) {
      if (message.is_barrier || message.delay_ms > 0 || message.callback.empty()) continue;
      const bool is_object = message.callback == waiting.wait_class;
      if (is_object || (!top.empty() && index::TopClass(message.callback) == top))
        return index::PendingDispatch(message);
    }
    return {};
  }

  // The innermost frame of the application that is not a wrapper, else its innermost one. Null
  // without one.
  const model::FrameId* OwnFrame(const ThreadStack& stack) const {
    const model::FrameId* first = nullptr;
    for (size_t i = 0; i < stack.frames.size(); ++i) {
      const model::FrameId id = stack.frames[i];
      const std::string_view class_name = document_.frames.ClassName(id);
      const std::string_view method = document_.frames.MethodName(id);
      if (!index_.own().Has(class_name)) continue;
      if (first == nullptr) first = &stack.frames[i];
      const bool is_wrapper =
          index::IsGlue(class_name, method) || index::IsUtility(class_name) ||
          helpers_.Has(document_.frames.At(id).class_name, document_.frames.At(id).method_name) ||
          (i > 0 && method == document_.frames.MethodName(stack.frames[i - 1]));
      if (!is_wrapper) return &stack.frames[i];
    }
    return first;
  }

  Waiter Describe(const ThreadStack& stack) const {
    Waiter waiter;
    waiter.tid = stack.tid;
    waiter.thread = index::Truncated(stack.name, 100);
    waiter.wait = stack.wait;
    waiter.is_timed = stack.wait != WaitKind::kNone && stack.state == ThreadState::kTimedWaiting;
    waiter.wait_class = index::Truncated(LockClass(stack.wait_class), kLongestText);
    if (const model::FrameId* own = OwnFrame(stack))
      waiter.own_frame = index::FrameText(document_.frames, *own, kLongestText);
    for (const model::FrameId id : stack.frames) {
      if (index_.own().Has(document_.frames.ClassName(id))) break;
      waiter.outside = index::WaitedFor(document_.frames, id);
      if (waiter.outside != index::Outside::kNothing) break;
    }
    if (stack.frames.empty()) AddNative(stack, &waiter);
    for (size_t i = 0; i < std::min(stack.frames.size(), kMaxFrames); ++i)
      waiter.stack.push_back(index::FrameText(document_.frames, stack.frames[i], kLongestText));
    if (!stack.absent.empty())
      waiter.stack.push_back("(" + index::Truncated(stack.absent, 100) + ")");
    return waiter;
  }

  // For a thread without Java code: the innermost native frame outside the system's libraries.
  void AddNative(const ThreadStack& stack, Waiter* waiter) const {
    const auto own = std::ranges::find_if(stack.native, [this](const model::NativeFrame& frame) {
      if (frame.module == 0 || frame.module > document_.modules.size()) return false;
      const std::string& path = document_.modules[frame.module - 1].path;
      return !path.starts_with("/system/") && !path.starts_with("/apex/") &&
             !path.starts_with("/vendor/");
    });
    if (own != stack.native.end())
      waiter->own_frame = index::NativeFrameText(document_.modules, *own, kLongestText);
    for (size_t i = 0; i < std::min(stack.native.size(), kMaxFrames); ++i)
      waiter->stack.push_back(
          index::NativeFrameText(document_.modules, stack.native[i], kLongestText));
  }

  // Adds threads in code of the waiting class, which are mostly those that it gave the work to.
  void AddCandidates(const ThreadStack& waiting, const std::vector<uint32_t>& tids) {
    const model::FrameId* own = OwnFrame(waiting);
    if (own == nullptr) return;
    const std::string_view top = index::TopClass(document_.frames.ClassName(*own));
    for (const ThreadStack& stack : stacks_) {
      const bool is_there =
          std::any_of(stack.frames.begin(), stack.frames.end(), [&](model::FrameId id) {
            return index::TopClass(document_.frames.ClassName(id)) == top;
          });
      const bool is_same = stack.wait_object != 0 && stack.wait_object == waiting.wait_object;
      if (!is_there || is_same || std::find(tids.begin(), tids.end(), stack.tid) != tids.end())
        continue;
      chain_.candidates.push_back(Describe(stack));
      if (chain_.candidates.size() == kMaxCandidates) return;
    }
  }

  const DumpIndex& index_;
  Helpers helpers_;
  const model::Document& document_;
  const std::vector<ThreadStack>& stacks_;
  WaitChain chain_;
};

// "app.Store.save (Store.java:3)", "" without a stack.
std::string Whereabouts(const Waiter& waiter) {
  return !waiter.own_frame.empty() ? waiter.own_frame
         : waiter.stack.empty()    ? ""
                                   : waiter.stack.front();
}

}  // namespace

uint32_t MainTid(const model::Document& document) {
  if (!document.loopers.empty()) return document.loopers[0].tid;
  const bool has_pid = document.identity.pid != 0 || !document.thread_stacks ||
                       document.thread_stacks->stacks.empty();
  return has_pid ? document.identity.pid : document.thread_stacks->stacks.front().tid;
}

WaitChain ChainOf(const DumpIndex& index, const Helpers& helpers) {
  return index.document().thread_stacks ? ChainFinder(index, helpers).Learn().Find() : WaitChain();
}

Waiter WaiterOf(const DumpIndex& index, const ThreadStack& stack) {
  return ChainFinder(index, Helpers()).One(stack);
}

std::string FrameAtDump(const DumpIndex& index, const Helpers& helpers, uint32_t tid) {
  if (!index.document().thread_stacks || tid == 0) return {};
  const std::vector<ThreadStack>& stacks = index.document().thread_stacks->stacks;
  const auto stack = std::ranges::find(stacks, tid, &ThreadStack::tid);
  return stack == stacks.end() ? "" : ChainFinder(index, helpers).Learn().One(*stack).own_frame;
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

void AddChainEvidence(const WaitChain& chain, judge::Verdict* verdict) {
  const auto add = [verdict]<typename Fact>(Fact fact, const Waiter& waiter) {
    fact.thread = {waiter.thread, waiter.tid};
    fact.frame = Whereabouts(waiter);
    if (fact.frame.empty()) return;
    // Not a frame.
    if (fact.frame.starts_with('(')) fact.frame = fact.frame.substr(1, fact.frame.size() - 2);
    verdict->evidence.push_back(std::move(fact));
  };
  for (size_t i = 1; i < chain.threads.size(); ++i)
    if (i > 1 || Whereabouts(chain.threads[i]) != verdict->holder_frame)
      add(evidence::ChainAt(), chain.threads[i]);
  if (chain.threads.size() == 1 && !chain.is_circle())
    verdict->evidence.push_back(evidence::WaitedFor());
  for (const Waiter& waiter : chain.candidates) add(evidence::Candidate(), waiter);
}

}  // namespace stillframe::judge
