// SPDX-License-Identifier: Apache-2.0
// Finds what a blocked thread waits for, and which thread can end the wait. Reads the heap without
// entering the runtime.
//
// Problem: the owner of a java.util.concurrent lock, or the thread that runs a task, is known in
// Java objects only. The garbage collector may move those at any time.
// Rule: the fields' offsets are found once. Later reads use guarded loads. A thread found through
// objects counts only if it is in the runtime's list and its structure leads back.
// Surviving risk: a moved object is read in its old state. Then, or after a failed load, the result
// is less complete.
// Context: Find: an attached thread at start-up. Others: collector
#pragma once

#include <jni.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "src/art/framework_members.h"
#include "src/art/thread_list.h"
#include "src/model/thread_stacks.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::art {

struct Wait {
  model::WaitKind kind = model::WaitKind::kNone;
  uint32_t object = 0;     // its address; 0: none
  std::string class_name;  // class of the object, or the awaited class itself; "": unknown
  int32_t tid = 0;         // the thread that can end the wait; 0: unknown
};

class WaitReader {
 public:
  // Both must outlive this. Waits whose fields the platform lacks are not reported.
  void Find(const walk::RuntimeFacts& facts, const ThreadList& list, JNIEnv* env);

  // Describes the wait of a thread in this state; the thread must not run meanwhile. `threads`: all
  // threads; call ForgetThreads when they change. Object.wait on a class that a thread has once
  // initialised looks like kClassInit; only the innermost frame distinguishes the two.
  Wait Read(const RuntimeThread& thread, model::ThreadState state,
            const std::vector<RuntimeThread>& threads);
  void ForgetThreads() { joined_by_.clear(); }

  // Class name of the object at this address; "": unreadable.
  std::string ClassOf(uint32_t object) const {
    return facts_ == nullptr || object == 0 ? std::string() : ClassNameOf(object);
  }

  // java.lang.Thread's own name; "": unreadable or not plain ASCII.
  std::string NameOf(const RuntimeThread& thread) const;

 private:
  // A class, and one of its fields.
  struct Field {
    uint32_t type = 0;  // address; classes do not move
    uint32_t offset = 0;
  };

  Field FindField(JNIEnv* env, framework::Field row) const;
  uint32_t PeerOf(uintptr_t thread) const;
  // Kernel id of the thread of a java.lang.Thread; 0: none.
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
  bool is_known_ = false;      // whether a thread's peer was seen to lead back to it
  uint32_t wait_monitor_ = 0;  // offset in art::Thread; 0: not found yet
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
  std::unordered_map<uint32_t, int32_t> joined_by_;  // by Thread.lock: tid
};

}  // namespace stillframe::art
