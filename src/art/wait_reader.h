// SPDX-License-Identifier: Apache-2.0
// What a thread that stands still waits for, and which thread can end that, read from the heap
// without entering the runtime.
//
// Problem: who owns a lock of java.util.concurrent, or runs a task, is in Java objects only, which
// the garbage collector may move at any time. Rule: the fields' places are asked for once; from
// then on objects are read by guarded loads, and a thread that they lead to counts only if it is in
// the runtime's list and its structure leads back. Surviving risk: an object that is moved
// meanwhile is read as it was before; then, or when a load goes astray, less is known.
// Context: Find: an attached thread at start-up. Others: collector
#pragma once

#include <jni.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "src/art/thread_list.h"
#include "src/model/thread_stacks.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::art {

struct Wait {
  model::WaitKind kind = model::WaitKind::kNone;
  uint32_t object = 0;     // its address
  std::string class_name;  // or the class that it waits for itself; "" when it is not known
  int32_t tid = 0;         // who can end it; 0: not known
};

class WaitReader {
 public:
  // Both must outlive this. What the platform lacks is not told of later.
  void Find(const walk::RuntimeFacts& facts, const ThreadList& list, JNIEnv* env);

  // Of a thread in this state, which must not run meanwhile. `threads` are all there are; when they
  // are others than before, say so by ForgetThreads. Object.wait at a class that a thread has once
  // initialised looks like kClassInit: the innermost frame tells them apart.
  Wait Read(const RuntimeThread& thread, model::ThreadState state,
            const std::vector<RuntimeThread>& threads);
  void ForgetThreads() { joined_by_.clear(); }

  // The name of the class of the object at this address; "" when it cannot be read.
  std::string ClassOf(uint32_t object) const {
    return facts_ == nullptr || object == 0 ? std::string() : ClassNameOf(object);
  }

  // java.lang.Thread's own name; "" when it cannot be read, or not as plain ASCII.
  std::string NameOf(const RuntimeThread& thread) const;

 private:
  // A class, and one of its fields.
  struct Field {
    uint32_t type = 0;  // address; classes do not move
    uint32_t offset = 0;
  };

  Field FindField(JNIEnv* env, const char* type, const char* name, const char* signature) const;
  uint32_t PeerOf(uintptr_t thread) const;
  // The kernel's id of the thread that a java.lang.Thread stands for; 0 when it is none.
  int32_t TidOf(uint32_t java_thread) const;
  bool IsA(uint32_t object, const Field& of) const;
  std::string ClassNameOf(uint32_t object) const;
  std::string NameOfClass(uint32_t type) const;
  bool DescribeClass(const RuntimeThread& thread, const std::vector<RuntimeThread>& threads,
                     Wait* wait) const;
  int32_t ThreadOfLock(uint32_t lock, const std::vector<RuntimeThread>& threads);
  void DescribeObject(const RuntimeThread& thread, const std::vector<RuntimeThread>& threads,
                      Wait* wait);

  const walk::RuntimeFacts* facts_ = nullptr;
  const ThreadList* list_ = nullptr;
  bool is_known_ = false;      // the peer of a thread leads back to it
  uint32_t wait_monitor_ = 0;  // offset in art::Thread; 0: not seen yet
  Field thread_lock_;
  Field thread_name_;
  Field park_blocker_;
  Field native_peer_;
  Field owner_;   // AbstractOwnableSynchronizer.exclusiveOwnerThread
  Field runner_;  // FutureTask.runner
  Field super_class_;
  Field dex_type_index_;
  Field clinit_thread_;  // Class.clinitThreadId
  Field string_count_;
  std::unordered_map<uint32_t, int32_t> joined_by_;  // Thread.lock: tid
};

}  // namespace stillframe::art
