// SPDX-License-Identifier: Apache-2.0
// The runtime's own list of its threads, read without its lock.
//
// Problem: the list changes while it is read, and a thread's structure is freed when it ends. Rule:
// where the list is, and what is read of a thread, is proved at start-up by threads that are known;
// from then on all is read by guarded loads, and what is read counts as a thread only while its
// JNIEnv* leads back to it. Surviving risk: a thread that ends while it is looked at is told from
// one that lives by its CPU clock only, which the caller reads.
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

  // Of each thread's structure; it may be a little less.
  uint32_t thread_bytes() const { return thread_bytes_; }

  // The threads that are in the list now, in no order, each once; at most `max`. Returns how many
  // the list says there are; 0 when it could not be read.
  size_t Read(size_t max, std::vector<RuntimeThread>* threads) const;

  // False when the thread has ended, as far as its structure tells.
  bool IsStill(const RuntimeThread& thread) const;

  // The kernel's id of a thread, which may be none: see IsStill.
  bool LoadTid(uintptr_t thread, int32_t* tid) const;

  // Bounds of a thread's stack. False when they cannot be read or are none.
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
  uintptr_t stack_excess_ = 0;  // by which stack_begin and stack_size together are too large
  uintptr_t list_ = 0;          // the head of ThreadList::list_; 0: not proved
};

}  // namespace stillframe::art
