// SPDX-License-Identifier: Apache-2.0
// The threads of one process in traces, in any form in which they are handed over.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/model/frame_table.h"
#include "src/model/thread_stacks.h"
#include "tools/stillframe/input/field_import.h"

namespace stillframe::input {

struct TraceThreads {
  model::ThreadStacks stacks;          // the main thread first
  std::vector<model::Module> modules;  // of native frames
  std::string text;                    // the lines as ART writes them
  std::vector<std::string> facts;      // of each listed thread: its "| " lines
  uint32_t main_tid = 0;               // 0: no thread is known to be the main one
  uint32_t main_sys_tid = 0;           // the kernel's; 0: not in the text
  bool has_runtime = false;            // heads have numbers of the runtime
  uint64_t java_frames = 0;
  uint64_t native_frames = 0;
  uint64_t lines_lost = 0;  // not understood, in a thread's block
};

// Reads all threads with their stacks and waits. `pid`, `process`: 0 and "" if unknown. The main
// thread is the one whose sysTid is the pid, else number 1, else "main", else the one named like
// the process. Lines may have lost or gained blanks, and may be wrapped.
// Source: ART 8 to 16, runtime/thread.cc, Thread::DumpState and StackDumpVisitor;
// runtime/monitor.cc, Monitor::DescribeWait. Dalvik of Android 4.4, vm/Thread.cpp. libbacktrace,
// Backtrace::FormatFrameData.
TraceThreads ReadTraceThreads(std::string_view text, uint32_t pid, std::string_view process,
                              model::FrameTable* frames, const ReadStep& step = {});

}  // namespace stillframe::input
