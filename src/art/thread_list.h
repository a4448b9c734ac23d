// SPDX-License-Identifier: Apache-2.0
// Reads the runtime's own list of threads, without its lock.
//
// Problem: the list changes while it is read, and a thread's structure is freed when the thread
// ends.
// Rule: the list's location and a thread's fields are proved at start-up, by known threads. Later
// reads use guarded loads. An entry counts as a thread only while its JNIEnv* leads back to it.
// Surviving risk: a thread that ends while it is read can be recognised by its CPU clock only,
// which the caller reads.
#pragma once

#include <jni.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/model/outcome.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::art {

struct RuntimeThread {
  uintptr_t address = 0;  // art::Thread*
  int32_t tid = 0;
};

class ThreadList {
 public:
  // Finds the list in the runtime of `vm`, by the calling thread, which is attached as `env`.
  // `facts` must outlive this. Context: start-up only
  model::Outcome Prove(const walk::RuntimeFacts& facts, JavaVM* vm, JNIEnv* env);

  bool is_proved() const { return list_ != 0; }

  // Size of a thread's structure; may be slightly too small.
  uint32_t thread_bytes() const { return thread_bytes_; }

  // Reads at most `max` threads of the list, unordered, each once. Returns the list's own count; 0:
  // unreadable.
  size_t Read(size_t max, std::vector<RuntimeThread>* threads) const;

  // False if the thread's structure shows that it has ended.
  bool IsStill(const RuntimeThread& thread) const;

  // The kernel's id of a thread. The thread may have ended, see IsStill.
  bool LoadTid(uintptr_t thread, int32_t* tid) const;

  // Bounds of a thread's stack; false if unreadable or implausible.
  bool LoadStack(const RuntimeThread& thread, uintptr_t* low, uintptr_t* high) const;

 private:
  bool IsThread(uintptr_t thread) const;
  bool FindTidField(const std::vector<uintptr_t>& threads, uintptr_t self);
  bool ReadAll(uintptr_t list, size_t max, std::vector<uintptr_t>* threads) const;
  bool TryList(uintptr_t list, uintptr_t self);

  const walk::RuntimeFacts* facts_ = nullptr;
  uint32_t env_at_ = 0;  // offsets in art::Thread
  uint32_t tid_at_ = 0;
  uint32_t thread_bytes_ = 0;
  uintptr_t stack_excess_ = 0;  // excess of stack_begin plus stack_size over the stack's end
  uintptr_t list_ = 0;          // head of ThreadList::list_; 0: not proved
};

}  // namespace stillframe::art
