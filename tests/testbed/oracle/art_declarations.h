// SPDX-License-Identifier: Apache-2.0
// The few declarations of ART that the oracle calls, under the names libart exports.
//
// Sizes are not ART's: StackVisitor has room for more than its members need (runtime/stack.h
// of ART 10.0.0_r36, 11.0.0_r48 and 14.0.0_r15; about 500 bytes), the other classes are only
// pointed to. Checked by name: a libart without one of these symbols refuses to load the module.
// Context: an ART process
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace art {

class Context;
class Thread;

// runtime/art_method.h
class ArtMethod {
 public:
  static std::string PrettyMethod(ArtMethod* method, bool with_signature);
};

// runtime/stack.h. The order of the virtual functions is part of the ABI.
class StackVisitor {
 public:
  enum class StackWalkKind { kIncludeInlinedFrames, kSkipInlinedFrames };
  enum class CountTransitions { kYes, kNo };

  virtual ~StackVisitor();
  virtual bool VisitFrame() = 0;  // false: stop

  template <CountTransitions kCount>
  void WalkStack(bool include_transitions);
  ArtMethod* GetMethod() const;
  uint32_t GetDexPc(bool abort_on_failure) const;
  uintptr_t GetReturnPc() const;  // Only of a quick frame.

 protected:
  StackVisitor(Thread* thread, Context* context, StackWalkKind walk_kind, bool check_suspended);

 private:
  static constexpr size_t kMembersBytes = 2048;
  alignas(16) unsigned char members_[kMembersBytes];
};

extern template void StackVisitor::WalkStack<StackVisitor::CountTransitions::kNo>(bool);

// runtime/suspend_reason.h. An int in 10, a char since 11: an int is right for both.
enum class SuspendReason { kInternal };

// runtime/thread_list.h
class ThreadList {
 public:
  Thread* SuspendThreadByThreadId(uint32_t thread_id, SuspendReason reason, bool* timed_out);
  bool Resume(Thread* thread, SuspendReason reason);
};

}  // namespace art
