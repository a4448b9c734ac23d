// SPDX-License-Identifier: Apache-2.0
// The system's report on CPUs and memory, beside traces of an ANR.
#pragma once

#include <cstdint>
#include <string_view>

#include "src/model/document.h"

namespace stillframe::input {

// Lines from "ANR in" on: Load, /proc/pressure, the process's memory, "CPU usage from", a share for
// each process and for each thread of the ANR's process, and TOTAL. Adds facts of "cpu", "memory"
// and "io", and the threads with their shares. Facts that are known stay. An unknown pid is that of
// the list's process with the name. Unknown lines are skipped.
// Source: AOSP 8 to 16, core/java/com/android/internal/os/ProcessCpuTracker.java, printCurrentState
// and printProcessCPU.
void AddSystemReport(std::string_view text, model::Document* document);

// The runtime's lines above its threads: heap and collections.
// Source: ART 8 to 16, runtime/gc/heap.cc, Heap::DumpGcPerformanceInfo.
void AddRuntimeReport(std::string_view text, model::Document* document);

// A thread's "| sysTid=", "| state=" lines: nice, utm, stm, schedstat. `block`: its lines. Adds its
// row, unless the system's report gave it.
// Source: ART 8 to 16, runtime/thread.cc, Thread::DumpState. Ticks have 10 ms.
void AddThreadTimes(std::string_view name, uint32_t tid, std::string_view facts,
                    model::Document* document);

}  // namespace stillframe::input
