// SPDX-License-Identifier: Apache-2.0
// ART's own answer: a thread's stack by art::StackVisitor, suspension by thread id, names by
// PrettyMethod. What the walker is compared with, and what the benches race against. Context: an
// ART process of art-run; threads as each function says
#pragma once

#include <jni.h>

#include <cstdint>
#include <string>
#include <vector>

namespace testbed {

struct OracleFrame {
  uint64_t method;  // ArtMethod*
  uint32_t dex_pc;  // UINT32_MAX for a native method

  bool operator==(const OracleFrame&) const = default;
};

class ArtOracle {
 public:
  // On an attached thread, before anything else. False when the runtime is not laid out as that of
  // any release that art-run boots.
  bool Open(JavaVM* vm);

  // art::Thread* of the thread that owns `env`, and the id ART suspends it by (not the kernel's).
  static void* ThreadOf(JNIEnv* env);
  static uint32_t IdOf(const void* thread);

  // All methods on the stack of `thread`, innermost first, without the runtime's own methods, as a
  // stack trace has them. `thread` must be the caller's own, inside a native method, or suspended.
  static std::vector<OracleFrame> WalkByStackVisitor(void* thread);

  // Suspends another thread at its next safepoint, or where it is when it runs native code. Null
  // when it is gone or does not stop within ART's own time-out. The caller must be attached and in
  // native code, and must Resume before it does anything the suspended thread could hold a lock
  // for.
  void* SuspendById(uint32_t id) const;
  void Resume(void* thread) const;

  // "int com.foo.Bar.baz(java.lang.String)". The caller must be attached.
  static std::string PrettyMethod(uint64_t method);

 private:
  void* thread_list_ = nullptr;
};

}  // namespace testbed
