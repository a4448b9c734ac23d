// SPDX-License-Identifier: Apache-2.0
// The stacks of all threads of the runtime when the dump was taken, and what they waited for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <stillframe/thread_state.h>

#include "src/model/frame.h"
#include "src/model/values.h"

namespace stillframe::model {

// A library that was loaded when the dump was taken, or the program itself.
struct Module {
  std::string path;      // of its file, or "[vdso]"; "base.apk!libapp.so": in an archive
  std::string build_id;  // its note, in hex; "": none
  uint64_t begin = 0;    // addresses in the process
  uint64_t end = 0;
  uint64_t bias = 0;  // process address minus file-relative address
};

struct NativeFrame {
  uint32_t module = 0;      // index into Dump::modules plus one; 0: not in a library
  uint64_t address = 0;     // file-relative, of the running instruction or the call's last byte;
                            // without a library: process address
  std::string symbol;       // from the library's dynamic symbols; "": none
  std::string place;        // "file:line" from the host's symbol files; "": unknown
  bool is_inlined = false;  // into the next frame, which has the same address
};

// How a stack was taken. Part of the dump format: never renumber.
enum class StackSource : uint8_t {
  kNone = 0,        // no stack, see ThreadStack::absent
  kStoodStill = 1,  // from outside, between two equal readings of its CPU clock
  kRunning = 2,     // by the thread itself, on a signal of its CPU clock
};

// Cause of a wait, and how wait_tid can end it. Dump format: never renumber.
enum class WaitKind : uint8_t {
  kNone = 0,          // does not wait, or cause unknown
  kMonitor = 1,       // to enter an object's monitor; wait_tid holds it
  kObject = 2,        // in Object.wait, for a notification of the object
  kPark = 3,          // parked, with an object as the reason
  kSynchronizer = 4,  // for a java.util.concurrent lock; wait_tid owns it
  kFuture = 5,        // for the result of a FutureTask; wait_tid runs it
  kJoin = 6,          // for the end of wait_tid
  kClassInit = 7,     // for a class that wait_tid initialises
};

struct ThreadStack {
  uint32_t tid = 0;
  std::string name;
  StackSource source = StackSource::kNone;
  std::string absent;  // why the stack is missing; "": present
  model::ThreadState state = model::ThreadState::kUnknown;
  uint64_t cpu_ns = 0;  // of its CPU clock when the stack was taken
  WaitKind wait = WaitKind::kNone;
  // Class of the object that it waits for or at, or the class that it waits for; "": unknown.
  std::string wait_class;
  uint64_t wait_object = 0;            // same number, same object within a dump; 0: none
  uint32_t wait_tid = 0;               // thread that can end the wait; 0: unknown
  std::vector<model::FrameId> frames;  // of Document::frames, innermost first
  // Since 1.3, if requested: native code that the innermost managed frame called.
  std::string native_absent;         // why native frames are missing; "": maybe present
  bool native_is_truncated = false;  // their outermost frames are missing
  std::vector<NativeFrame> native;   // innermost first
};

struct ThreadStacks {
  std::string absent;               // why stacks are missing; "": present
  uint32_t threads = 0;             // known to the runtime; there may be fewer stacks
  uint64_t begin_ns = 0;            // CLOCK_MONOTONIC
  uint64_t duration_ns = 0;         // time spent taking them
  std::vector<ThreadStack> stacks;  // main thread first, then those that it waits for
};

}  // namespace stillframe::model

namespace stillframe {

template <>
inline constexpr EnumTable<model::StackSource, 3> kTableOf<model::StackSource> = {
    model::StackSource::kNone, {{"none"}, {"stood-still"}, {"running"}}};

// Text of the wait: with class {}, then without.
template <>
inline constexpr EnumTable<model::WaitKind, 8> kTableOf<model::WaitKind> = {
    model::WaitKind::kNone,
    {{"none", "|"},
     {"monitor", "a lock on {}|a lock"},
     {"object", "a notification of {}|a notification"},
     {"park", "{}|a permit"},
     {"synchronizer", "the lock {}|a lock"},
     {"future", "the result of {}|a task's result"},
     {"join", "the end|the end"},
     {"class-init", "the initialisation of class {}|a class to initialise"}}};

}  // namespace stillframe
