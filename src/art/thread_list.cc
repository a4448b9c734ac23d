// SPDX-License-Identifier: Apache-2.0
// These structures are the same in ART 8.0 to 16, except for their offsets, which are searched:
//   runtime/runtime.h       thread_list_, a pointer
//   runtime/thread_list.h   allocated_ids_, then std::list<Thread*> list_
//   runtime/thread.h        tls_ptr_sized_values: stack_begin is the fifth and stack_size the sixth
//                           word after jni_env; tls_32bit_sized_values: tid within the first words
// A std::list is a cycle of nodes that includes its head. Each node has two pointers, in an order
// that depends on the C++ library; both lead round the cycle. In the head the number of nodes
// follows, in a node its value.
#include "src/art/thread_list.h"

#include <malloc.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>

#include "arch/arch.h"
#include "src/art/runtime_probe.h"
#include "src/os/proc.h"

namespace stillframe::art {
namespace {

using arch::GuardedLoad32;
using model::Outcome;
using model::Status;
using walk::LoadPointer;

constexpr uint32_t kWord = sizeof(uintptr_t);
constexpr uint32_t kStackBeginAfterEnv = 5 * kWord;
constexpr uint32_t kStackSizeAfterEnv = 6 * kWord;
constexpr uintptr_t kMaxStackBytes = uintptr_t{1} << 30;
// ART moves stack_begin up past the stack's protected pages, but does not subtract all of them from
// stack_size (ART 10 to 14 runtime/thread.cc, InitStackHwm).
constexpr uintptr_t kMaxExcessBytes = 64 << 10;

// Bytes to search.
constexpr uint32_t kRuntimeBytes = 4096;
constexpr uint32_t kThreadListBytes = 16 << 10;
constexpr uint32_t kThreadFirstBytes = 64;
constexpr size_t kMaxThreads = 4096;

// The list may change between two loads.
constexpr int kTries = 3;

bool IsPointer(uintptr_t word) { return word >= 4096 && word % kWord == 0; }

// Whether this looks like the head of a list.
bool LoadHead(uintptr_t list, uintptr_t* first, size_t* size) {
  uintptr_t last = 0;
  uintptr_t back = 0;
  uintptr_t count = 0;
  if (!LoadPointer(list + 2 * kWord, &count) || count == 0 || count > kMaxThreads ||
      !LoadPointer(list, first) || !IsPointer(*first) || !LoadPointer(list + kWord, &last) ||
      !IsPointer(last) || !LoadPointer(*first + kWord, &back) || back != list)
    return false;
  *size = count;
  return true;
}

struct OwnStack {
  uintptr_t low = 0;
  uintptr_t high = 0;
};

OwnStack StackOfCaller() {
  OwnStack stack;
  pthread_attr_t attributes;
  void* low = nullptr;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return stack;
  if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
    stack.low = reinterpret_cast<uintptr_t>(low);
    stack.high = stack.low + size;
  }
  pthread_attr_destroy(&attributes);
  return stack;
}

}  // namespace

bool ThreadList::IsThread(uintptr_t thread) const {
  uintptr_t env = 0;
  uintptr_t self = 0;
  return IsPointer(thread) && LoadPointer(thread + env_at_, &env) && IsPointer(env) &&
         LoadPointer(env + facts_->layout->env_self, &self) && self == thread;
}

bool ThreadList::LoadTid(uintptr_t thread, int32_t* tid) const {
  uint32_t word = 0;
  if (!GuardedLoad32(thread + tid_at_, &word) || word == 0) return false;
  *tid = static_cast<int32_t>(word);
  return true;
}

// False if the cycle does not close: the list changed meanwhile, or is not a list.
bool ThreadList::ReadAll(uintptr_t list, size_t max, std::vector<uintptr_t>* threads) const {
  uintptr_t node = 0;
  size_t size = 0;
  threads->clear();
  if (!LoadHead(list, &node, &size)) return false;
  for (size_t i = 0; node != list; ++i) {
    uintptr_t thread = 0;
    if (i == size || !LoadPointer(node + 2 * kWord, &thread) || !LoadPointer(node, &node) ||
        !IsPointer(node))
      return false;
    if (threads->size() < max) threads->push_back(thread);
  }
  return threads->size() == std::min(size, max);
}

// At the right field, each thread has a distinct id, which is a task of this process.
bool ThreadList::FindTidField(const std::vector<uintptr_t>& threads, uintptr_t self) {
  for (tid_at_ = 4; tid_at_ < kThreadFirstBytes; tid_at_ += 4) {
    std::vector<int32_t> tids;
    int32_t tid = 0;
    if (!LoadTid(self, &tid) || tid != gettid()) continue;
    for (const uintptr_t thread : threads)
      if (LoadTid(thread, &tid) && os::SchedulerState(tid) != 'X') tids.push_back(tid);
    std::ranges::sort(tids);
    if (tids.size() == threads.size() && std::ranges::adjacent_find(tids) == tids.end())
      return true;
  }
  return false;
}

bool ThreadList::TryList(uintptr_t list, uintptr_t self) {
  std::vector<uintptr_t> threads;
  return ReadAll(list, kMaxThreads, &threads) && std::ranges::count(threads, self) == 1 &&
         std::ranges::all_of(threads, [this](uintptr_t thread) { return IsThread(thread); }) &&
         FindTidField(threads, self);
}

Outcome ThreadList::Prove(const walk::RuntimeFacts& facts, JavaVM* vm, JNIEnv* env) {
  facts_ = &facts;
  env_at_ = facts.managed_stack + facts.layout->managed_stack_before_env;
  const uintptr_t self = RuntimeThreadOf(*facts.layout, env);
  uintptr_t runtime = 0;
  if (!IsThread(self) ||
      !LoadPointer(reinterpret_cast<uintptr_t>(vm) + facts.layout->vm_runtime, &runtime))
    return {Status::kUnavailable, "the runtime's structures do not lead to its threads"};
  const OwnStack own = StackOfCaller();
  uintptr_t low = 0;
  uintptr_t high = 0;
  if (!LoadStack({self, gettid()}, &low, &high) || low < own.low || low >= own.high ||
      high < own.high || high - own.high > kMaxExcessBytes)
    return {Status::kUnavailable, "the bounds of a thread's stack are not where they should be"};
  stack_excess_ = high - own.high;
  // ART allocates threads with new.
  thread_bytes_ = static_cast<uint32_t>(malloc_usable_size(reinterpret_cast<void*>(self)));
  for (int i = 0; i < kTries; ++i) {
    for (uint32_t at = 0; at < kRuntimeBytes; at += kWord) {
      uintptr_t thread_list = 0;
      if (!LoadPointer(runtime + at, &thread_list)) break;
      if (!IsPointer(thread_list)) continue;
      for (uint32_t head = 0; head < kThreadListBytes; head += kWord) {
        uintptr_t word = 0;
        if (!LoadPointer(thread_list + head, &word)) break;
        if (IsPointer(word) && TryList(thread_list + head, self)) {
          list_ = thread_list + head;
          return {};
        }
      }
    }
  }
  return {Status::kUnavailable, "the runtime's list of threads is not found"};
}

size_t ThreadList::Read(size_t max, std::vector<RuntimeThread>* threads) const {
  threads->clear();
  std::vector<uintptr_t> found;
  uintptr_t first = 0;
  size_t size = 0;
  for (int i = 0; i < kTries && is_proved(); ++i) {
    if (!ReadAll(list_, max, &found) || !LoadHead(list_, &first, &size)) continue;
    for (const uintptr_t address : found) {
      RuntimeThread thread = {address, 0};
      // Skip threads that are just starting or ending.
      if (IsThread(address) && LoadTid(address, &thread.tid)) threads->push_back(thread);
    }
    return size;
  }
  return 0;
}

bool ThreadList::IsStill(const RuntimeThread& thread) const {
  int32_t tid = 0;
  return IsThread(thread.address) && LoadTid(thread.address, &tid) && tid == thread.tid;
}

bool ThreadList::LoadStack(const RuntimeThread& thread, uintptr_t* low, uintptr_t* high) const {
  uintptr_t size = 0;
  if (!LoadPointer(thread.address + env_at_ + kStackBeginAfterEnv, low) ||
      !LoadPointer(thread.address + env_at_ + kStackSizeAfterEnv, &size) || size == 0 ||
      size > kMaxStackBytes)
    return false;
  *high = *low + size - stack_excess_;
  return *high > *low;
}

}  // namespace stillframe::art
