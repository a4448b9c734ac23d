// SPDX-License-Identifier: Apache-2.0
// Where all threads of the runtime stood when the dump was taken, and what they waited for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <stillframe/thread_state.h>

#include "src/model/frame.h"
#include "src/model/values.h"

namespace stillframe::model {

// Native code of the process: its libraries, and frames of C and C++ in them.
// A library that was loaded when the dump was taken, or the program itself.
struct Module {
  std::string path;      // of its file, or "[vdso]"; "base.apk!libapp.so" for one inside an archive
  std::string build_id;  // hex of its note; "" when it has none
  uint64_t begin = 0;    // addresses in the process
  uint64_t end = 0;
  uint64_t bias = 0;  // address in the process minus address as the file counts
};

struct NativeFrame {
  uint32_t module = 0;   // index into Dump::modules plus one; 0: code of no library
  uint64_t address = 0;  // as the library's file counts, of the instruction that runs, or of the
                         // last byte of the call; without a library as the process counts
  std::string symbol;    // as the library's dynamic symbols have it; "" when none holds the address
  std::string place;     // "file:line", by symbol files of the host; "" when it is not known
  bool is_inlined = false;  // into the frame that follows, which has the same address
};

// How a stack came to be. Part of the dump format: never renumber.
enum class StackSource : uint8_t {
  kNone = 0,        // there is none, see ThreadStack::absent
  kStoodStill = 1,  // read from outside, between two equal readings of its CPU clock
  kRunning = 2,     // by the thread itself, when its CPU clock brought a signal
};

// What a thread waits for. Part of the dump format: never renumber.
enum class WaitKind : uint8_t {
  kNone = 0,          // it does not wait, or for nothing that is known
  kMonitor = 1,       // to enter the monitor of an object; the thread holds it
  kObject = 2,        // in Object.wait, for whoever notifies the object
  kPark = 3,          // parked, with an object as the reason
  kSynchronizer = 4,  // parked for a lock of java.util.concurrent; the thread owns it
  kFuture = 5,        // for the result of a FutureTask; the thread runs it
  kJoin = 6,          // for the end of the thread
  kClassInit = 7,     // since 1.4: for a class to be initialised, which the thread does
};

struct ThreadStack {
  uint32_t tid = 0;
  std::string name;
  StackSource source = StackSource::kNone;
  std::string absent;  // why there is no stack; "" when there is
  model::ThreadState state = model::ThreadState::kUnknown;
  uint64_t cpu_ns = 0;  // of its CPU clock, when the stack was taken
  WaitKind wait = WaitKind::kNone;
  // Of the object that it waits for or at, or the class that it waits for; "" when it is not known.
  std::string wait_class;
  uint64_t wait_object = 0;  // the same number is the same object, within a dump; 0 is none
  uint32_t wait_tid = 0;     // the thread that can end it; 0 when it is not known
  std::vector<model::FrameId> frames;  // of Document::frames, the innermost first
  // Since 1.3: the native code that the innermost managed frame has called, where that is asked
  // for.
  std::string native_absent;         // why there are no native frames; "" when there are or may be
  bool native_is_truncated = false;  // the outermost of them were not found
  std::vector<NativeFrame> native;   // the innermost first
};

struct ThreadStacks {
  std::string absent;               // why there are none; "" when there are
  uint32_t threads = 0;             // that the runtime knew; there may be fewer stacks
  uint64_t begin_ns = 0;            // CLOCK_MONOTONIC
  uint64_t duration_ns = 0;         // what it took to take them
  std::vector<ThreadStack> stacks;  // the main thread first, then those that it waits for
};

}  // namespace stillframe::model

namespace stillframe {

template <>
inline constexpr EnumTable<model::StackSource, 3> kTableOf<model::StackSource> = {
    model::StackSource::kNone, {{"none"}, {"stood-still"}, {"running"}}};

// What a thread waits for, where its class is {}, and where that is not known.
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
