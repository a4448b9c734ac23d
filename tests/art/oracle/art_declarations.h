// The few declarations of ART 11 that the oracle calls, under the names libart exports.
//
// Sizes are not ART's: StackVisitor has room for more than its members need (ART 11.0.0_r48
// runtime/stack.h; about 500 bytes), the other classes are only pointed to. Checked by name: a
// libart without one of these symbols refuses to load the module. Context: an ART 11 process
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

 protected:
  StackVisitor(Thread* thread, Context* context, StackWalkKind walk_kind, bool check_suspended);

 private:
  static constexpr size_t kMembersBytes = 2048;
  alignas(16) unsigned char members_[kMembersBytes];
};

extern template void StackVisitor::WalkStack<StackVisitor::CountTransitions::kNo>(bool);

// runtime/suspend_reason.h
enum class SuspendReason : char { kInternal, kForUserCode };

// runtime/thread_list.h
class ThreadList {
 public:
  Thread* SuspendThreadByThreadId(uint32_t thread_id, SuspendReason reason, bool* timed_out);
  bool Resume(Thread* thread, SuspendReason reason);
};

}  // namespace art
