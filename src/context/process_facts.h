// SPDX-License-Identifier: Apache-2.0
// Kernel facts about this process and the device: CPU, memory, I/O and threads. Each as a total,
// and as the change since an earlier reading.
// Problem: totals since the start do not describe the seconds before an ANR.
// Rule: while something slow runs, the counters are remembered at intervals, and a dump has the
// difference. A source that cannot be read gives an absent entry with the reason.
// Remaining risk: a thread that lived only between two readings is missing from the table.
// Context: collector; reads files
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/context/proc_text.h"
#include "src/model/process.h"

namespace stillframe::context {

// The native debugger that is attached to this process: "gdb (pid 123)"; "": none. `proc`: "/proc".
std::string NativeDebugger(const std::string& proc = "/proc");

class ProcessFacts {
 public:
  static constexpr uint64_t kRememberEveryNs = 5'000'000'000;
  // Valid age of the earlier reading. Younger: too short a window. Older: unrelated to the ANR.
  static constexpr uint64_t kMinWindowNs = 1'000'000'000;
  static constexpr uint64_t kMaxWindowNs = 60'000'000'000;
  static constexpr size_t kMaxThreads = 512;  // read for a dump; all are counted
  static constexpr size_t kMaxRows = 64;
  // Threads remembered outside dumps, the oldest: the main thread, the runtime's, the first of each
  // pool. For all others a dump has the time since thread start. Each costs two file reads; for so
  // many the cost is negligible in a hang of seconds.
  static constexpr size_t kMaxRemembered = 24;

  // Tests pass a folder of their own.
  explicit ProcessFacts(std::string proc = "/proc") : proc_(std::move(proc)) {}

  // Remembers the counters, at most every kRememberEveryNs.
  void Remember(uint64_t now_ns);

  // Adds the facts of the groups "device", "process", "cpu", "memory" and "io".
  void Describe(uint64_t now_ns, std::vector<model::ContextEntry>* entries);
  // As Describe, without what costs more than a file read.
  void DescribeBriefly(uint64_t now_ns, std::vector<model::ContextEntry>* entries);
  // The busiest `most` threads, the main one among them.
  model::ThreadTable Threads(uint64_t now_ns, size_t most = kMaxRows);

 private:
  struct ThreadTimes {
    int32_t tid = 0;
    uint64_t start_ticks = 0;
    uint64_t user_ticks = 0;
    uint64_t system_ticks = 0;
    int64_t wait_ns = model::kTimeUnknown;
  };
  struct Reading {
    uint64_t taken_ns = 0;  // 0: none
    bool has_process = false;
    TaskStat process;
    bool has_system = false;
    SystemCpu system;
    bool has_io = false;
    uint64_t read_bytes = 0;
    uint64_t written_bytes = 0;
    std::vector<ThreadTimes> threads;
  };
  class Entries;
  enum class Cost { kAny, kLow };

  const Reading* Before(uint64_t now_ns) const;
  int ReadText(const char* name, size_t limit, std::string* text) const;
  template <typename Parsed, typename Parse>
  std::string TryRead(const char* name, const Parse& parse, Parsed* parsed) const;
  std::string TryReadIo(Reading* reading) const;
  bool ReadThread(int32_t tid, TaskStat* stat, int64_t* wait_ns) const;
  bool DescribeThread(int32_t tid, uint64_t now_ns, const Reading* before,
                      model::ThreadRow* row) const;

  void DescribeDevice(Entries* entries) const;
  void DescribeCpu(uint64_t now_ns, const Reading* before, Entries* entries) const;
  void DescribeMemory(const Reading* before, Cost cost, Entries* entries) const;
  void DescribeIo(const Reading* before, Cost cost, Entries* entries) const;
  void DescribePressure(const char* name, std::string_view group, Entries* entries) const;

  std::string proc_;
  Reading older_;
  Reading newer_;
};

}  // namespace stillframe::context
