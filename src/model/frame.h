// SPDX-License-Identifier: Apache-2.0
// A sampled frame and a sample, for all code above the signal handler.
#pragma once

#include <cstdint>

#include <stillframe/thread_state.h>

namespace stillframe::model {

using StringId = uint32_t;
using FrameId = uint32_t;

// Values are part of the dump format: never renumber.
enum class FrameKind : uint8_t {
  kInterpreted = 0,  // a ShadowFrame
  kNterp = 1,
  kCompiled = 2,
  kJni = 3,        // a native method
  kTruncated = 4,  // not a method: frames are missing here; the method name says why
  // Compiled, inlining at this pc unknown: this method or one inlined into it.
  kCompiledOrInlined = 5,
  // Native code. Class: the library's file. Method: the symbol or "0x1a2b". Signature: build id,
  // "+" and the file-relative address. For a thread waiting in the kernel the innermost has class
  // kKernel, and the method names the reason ("fsync file").
  kNative = 6,
};

constexpr char kKernel[] = "kernel";

constexpr int32_t kLineUnknown = -1;
constexpr int32_t kLineNative = -2;  // as StackTraceElement.isNativeMethod

// One resolved frame. Frames are equal if all fields are.
struct Frame {
  StringId class_name;   // "com.example.Checkout$Row"
  StringId method_name;  // "onPayClicked", "<init>", or the reason of a truncation
  StringId signature;    // dex descriptor, "(ILjava/lang/String;)V"; empty for a truncation
  StringId source_file;  // "Checkout.java" or empty
  int32_t line;
  FrameKind kind;

  bool operator==(const Frame&) const = default;
};

// One sample of a message. Times are relative to the message's start.
struct Sample {
  uint32_t wall_us;    // when it was taken
  uint32_t weight_us;  // wall time since the previous sample; the first: since the start, so that
                       // the weights of a finished message add up to its wall time
  uint32_t cpu_us;     // thread CPU time at the sample
  ThreadState state;

  bool operator==(const Sample&) const = default;
};

}  // namespace stillframe::model

namespace stillframe {

template <>
inline constexpr EnumTable<model::FrameKind, 7> kTableOf<model::FrameKind> = {
    model::FrameKind::kInterpreted,
    {{"interpreted"},
     {"nterp"},
     {"compiled"},
     {"jni"},
     {"cut"},
     {"compiled or inlined"},
     {"native"}}};

}  // namespace stillframe
