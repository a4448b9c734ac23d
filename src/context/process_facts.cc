// SPDX-License-Identifier: Apache-2.0
#include "src/context/process_facts.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "src/model/context_names.h"
#include "src/os/duration.h"
#include "src/os/file_text.h"
#include "src/os/run_queue.h"

namespace stillframe::context {
namespace {

namespace names = model::context;

constexpr size_t kFileBytes = 8 * 1024;
constexpr int64_t kMsPerSecond = 1'000;
// The kernel sums up the mappings of a large process; above this a dump would take too long.
constexpr uint64_t kMaxRssForPssBytes = 512U << 20;

constexpr const char* kNoWindow = "no earlier reading to compare with";

int64_t TicksToMs(uint64_t ticks) {
  static const int64_t ticks_per_second = std::max(sysconf(_SC_CLK_TCK), 1L);
  return static_cast<int64_t>(ticks) * kMsPerSecond / ticks_per_second;
}

bool IsMainThread(const model::ThreadRow& row) {
  return row.tid == static_cast<uint32_t>(getpid());
}

uint64_t Since(uint64_t now, uint64_t before) { return now > before ? now - before : 0; }

}  // namespace

std::string NativeDebugger(const std::string& proc) {
  constexpr size_t kNameBytes = 64;
  std::string status;
  uint64_t tracer = 0;
  if (os::ReadFileText((proc + "/self/status").c_str(), kFileBytes, &status) != 0 ||
      !FindNumber(status, "TracerPid:", &tracer) || tracer == 0)
    return "";
  std::string name;
  const std::string pid = std::to_string(tracer);
  os::ReadFileText((proc + "/" + pid + "/comm").c_str(), kNameBytes, &name);
  while (!name.empty() && name.back() == '\n') name.pop_back();
  return name.append(name.empty() ? "" : " ").append("(pid ").append(pid).append(")");
}

class ProcessFacts::Entries {
 public:
  explicit Entries(std::vector<model::ContextEntry>* entries) : entries_(*entries) {}

  void Number(std::string_view group, std::string_view name, uint64_t value) {
    entries_.push_back({std::string(group), std::string(name), model::ContextEntry::State::kNumber,
                        "", static_cast<int64_t>(value)});
  }
  void Text(std::string_view group, std::string_view name, std::string value) {
    entries_.push_back({std::string(group), std::string(name), model::ContextEntry::State::kText,
                        std::move(value), 0});
  }
  void Absent(std::string_view group, std::string_view name, std::string why) {
    entries_.push_back({std::string(group), std::string(name), model::ContextEntry::State::kAbsent,
                        std::move(why), 0});
  }
  // The number, or why there is none.
  void NumberOr(std::string_view group, std::string_view name, const std::string& why,
                uint64_t value) {
    why.empty() ? Number(group, name, value) : Absent(group, name, why);
  }

 private:
  std::vector<model::ContextEntry>& entries_;
};

int ProcessFacts::ReadText(const char* name, size_t limit, std::string* text) const {
  return os::ReadFileText((proc_ + "/" + name).c_str(), limit, text);
}

// Returns why the file has no value, or "".
template <typename Parsed, typename Parse>
std::string ProcessFacts::TryRead(const char* name, const Parse& parse, Parsed* parsed) const {
  std::string text;
  const int error = ReadText(name, kFileBytes, &text);
  const std::string path = proc_ + "/" + name;
  if (error != 0) return path + ": " + strerror(error);
  return parse(text, parsed) ? "" : path + " is not as expected";
}

std::string ProcessFacts::TryReadIo(Reading* reading) const {
  std::string why = TryRead(
      "self/io",
      [](const std::string& text, Reading* to) {
        return FindNumber(text, "read_bytes:", &to->read_bytes) &&
               FindNumber(text, "write_bytes:", &to->written_bytes);
      },
      reading);
  reading->has_io = why.empty();
  return why;
}

bool ProcessFacts::ReadThread(int32_t tid, TaskStat* stat, int64_t* wait_ns) const {
  const std::string folder = "self/task/" + std::to_string(tid);
  std::string text;
  if (ReadText((folder + "/stat").c_str(), kFileBytes, &text) != 0 || !ParseTaskStat(text, stat))
    return false;
  *wait_ns = model::kTimeUnknown;
  if (ReadText((folder + "/schedstat").c_str(), kFileBytes, &text) == 0)
    *wait_ns = os::ParseSchedstat(text);
  return true;
}

void ProcessFacts::Remember(uint64_t now_ns) {
  if (newer_.taken_ns != 0 && now_ns - newer_.taken_ns < kRememberEveryNs) return;
  std::swap(older_, newer_);
  newer_.taken_ns = now_ns;
  newer_.has_process = TryRead("self/stat", ParseTaskStat, &newer_.process).empty();
  newer_.has_system = TryRead("stat", ParseSystemCpu, &newer_.system).empty();
  TryReadIo(&newer_);
  newer_.threads.clear();
  std::vector<int32_t> tids;
  os::ReadFirstNumericNames((proc_ + "/self/task").c_str(), kMaxRemembered, &tids);
  for (const int32_t tid : tids) {
    TaskStat stat;
    ThreadTimes times;
    times.tid = tid;
    if (!ReadThread(tid, &stat, &times.wait_ns)) continue;
    times.start_ticks = stat.start_ticks;
    times.user_ticks = stat.user_ticks;
    times.system_ticks = stat.system_ticks;
    newer_.threads.push_back(times);
  }
}

const ProcessFacts::Reading* ProcessFacts::Before(uint64_t now_ns) const {
  for (const Reading* reading : {&newer_, &older_}) {
    if (reading->taken_ns == 0) continue;
    const uint64_t age_ns = Since(now_ns, reading->taken_ns);
    if (age_ns >= kMinWindowNs && age_ns <= kMaxWindowNs) return reading;
  }
  return nullptr;
}

void ProcessFacts::Describe(uint64_t now_ns, std::vector<model::ContextEntry>* to) {
  Entries entries(to);
  const Reading* before = Before(now_ns);
  DescribeDevice(&entries);
  if (std::string debugger = NativeDebugger(proc_); !debugger.empty())
    entries.Text(names::kProcess, names::kDebugger, std::move(debugger));
  DescribeCpu(now_ns, before, &entries);
  DescribeMemory(before, Cost::kAny, &entries);
  DescribeIo(before, Cost::kAny, &entries);
}

void ProcessFacts::DescribeBriefly(uint64_t now_ns, std::vector<model::ContextEntry>* to) {
  Entries entries(to);
  const Reading* before = Before(now_ns);
  DescribeCpu(now_ns, before, &entries);
  DescribeMemory(before, Cost::kLow, &entries);
  DescribeIo(before, Cost::kLow, &entries);
}

void ProcessFacts::DescribeDevice(Entries* entries) const {
  entries->Number(names::kDevice, names::kCores,
                  static_cast<uint64_t>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 0L)));
  utsname system = {};
  if (uname(&system) == 0) entries->Text(names::kDevice, "kernel", system.release);
  std::string text;
  const int error = ReadText("self/oom_score_adj", kFileBytes, &text);
  text.erase(std::min(text.find('\n'), text.size()));
  if (error == 0)
    entries->Text(names::kProcess, "oom_score_adj", text);
  else
    entries->Absent(names::kProcess, "oom_score_adj", strerror(error));
}

void ProcessFacts::DescribeCpu(uint64_t now_ns, const Reading* before, Entries* entries) const {
  std::array<uint64_t, 3> load = {};
  const std::string no_load = TryRead("loadavg", ParseLoad, &load);
  entries->NumberOr(names::kCpu, names::kLoad1Milli, no_load, load[0]);
  entries->NumberOr(names::kCpu, names::kLoad5Milli, no_load, load[1]);
  entries->NumberOr(names::kCpu, names::kLoad15Milli, no_load, load[2]);
  DescribePressure("pressure/cpu", names::kCpu, entries);

  const uint64_t window_ms = before == nullptr ? 0 : Since(now_ns, before->taken_ns) / os::kNsPerMs;
  entries->NumberOr(names::kCpu, names::kWindowMs, before == nullptr ? kNoWindow : "", window_ms);
  SystemCpu system;
  std::string why = TryRead("stat", ParseSystemCpu, &system);
  const bool compares = before != nullptr && before->has_system;
  if (why.empty() && (!compares || system.total <= before->system.total)) why = kNoWindow;
  const uint64_t total = why.empty() ? system.total - before->system.total : 1;
  entries->NumberOr(
      names::kCpu, names::kSystemBusyPermille, why,
      compares ? std::min<uint64_t>(Since(system.busy, before->system.busy) * 1000 / total, 1000)
               : 0);
  entries->NumberOr(names::kCpu, names::kSystemIowaitPermille, why,
                    compares ? std::min<uint64_t>(
                                   Since(system.iowait, before->system.iowait) * 1000 / total, 1000)
                             : 0);
  TaskStat process;
  why = TryRead("self/stat", ParseTaskStat, &process);
  const bool has_before = before != nullptr && before->has_process && window_ms > 0;
  if (why.empty() && !has_before) why = kNoWindow;
  uint64_t permille = 0;
  if (has_before) {
    const uint64_t ticks = Since(process.user_ticks + process.system_ticks,
                                 before->process.user_ticks + before->process.system_ticks);
    permille = static_cast<uint64_t>(TicksToMs(ticks)) * 1000 / window_ms;
  }
  entries->NumberOr(names::kCpu, names::kProcessBusyPermille, why, permille);
}

void ProcessFacts::DescribeMemory(const Reading* before, Cost cost, Entries* entries) const {
  const auto number = [this, entries](const char* file, const char* key, std::string_view name) {
    uint64_t value = 0;
    const std::string why = TryRead(
        file, [key](const std::string& text, uint64_t* to) { return FindNumber(text, key, to); },
        &value);
    entries->NumberOr(names::kMemory, name, why, value);
    return value;
  };
  const uint64_t rss = number("self/status", "VmRSS:", names::kRssBytes);
  number("self/status", "VmSwap:", "swap_bytes");
  if (cost == Cost::kAny && rss <= kMaxRssForPssBytes)
    number("self/smaps_rollup", "Pss:", "pss_bytes");
  else if (cost == Cost::kAny)
    entries->Absent(names::kMemory, "pss_bytes", "costs too much in a process of this size");
  number("meminfo", "MemAvailable:", names::kAvailableBytes);
  number("meminfo", "MemTotal:", names::kTotalBytes);
  DescribePressure("pressure/memory", names::kMemory, entries);
  TaskStat process;
  std::string why = TryRead("self/stat", ParseTaskStat, &process);
  const bool compares = before != nullptr && before->has_process;
  if (why.empty() && !compares) why = kNoWindow;
  const TaskStat& base = compares ? before->process : process;
  entries->NumberOr(names::kMemory, names::kMinorFaults, why,
                    Since(process.minor_faults, base.minor_faults));
  entries->NumberOr(names::kMemory, names::kMajorFaults, why,
                    Since(process.major_faults, base.major_faults));
}

void ProcessFacts::DescribeIo(const Reading* before, Cost cost, Entries* entries) const {
  Reading now;
  std::string why = TryReadIo(&now);
  const bool compares = before != nullptr && before->has_io;
  if (why.empty() && !compares) why = kNoWindow;
  entries->NumberOr(names::kIo, names::kReadBytes, why,
                    compares ? Since(now.read_bytes, before->read_bytes) : 0);
  entries->NumberOr(names::kIo, names::kWrittenBytes, why,
                    compares ? Since(now.written_bytes, before->written_bytes) : 0);
  DescribePressure("pressure/io", names::kIo, entries);
  if (cost == Cost::kLow) return;
  std::vector<int32_t> none;
  uint32_t files = 0;
  const int error = os::ReadNumericNames((proc_ + "/self/fd").c_str(), 0, &none, &files);
  entries->NumberOr(names::kIo, names::kOpenFiles, error == 0 ? "" : strerror(error), files);
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
    entries->Number(names::kIo, "open_files_limit", limit.rlim_cur);
}

void ProcessFacts::DescribePressure(const char* name, std::string_view group,
                                    Entries* entries) const {
  Pressure pressure;
  const std::string why = TryRead(name, ParsePressure, &pressure);
  entries->NumberOr(group, names::kPressureSomePermille, why, pressure.some_permille);
  if (!why.empty() || pressure.has_full)
    entries->NumberOr(group, names::kPressureFullPermille, why, pressure.full_permille);
}

// False if the thread has ended.
bool ProcessFacts::DescribeThread(int32_t tid, uint64_t now_ns, const Reading* before,
                                  model::ThreadRow* row) const {
  TaskStat stat;
  int64_t wait_ns = model::kTimeUnknown;
  if (!ReadThread(tid, &stat, &wait_ns)) return false;
  ThreadTimes base;
  if (before != nullptr) {
    const auto known = std::find_if(
        before->threads.begin(), before->threads.end(), [tid, &stat](const ThreadTimes& times) {
          return times.tid == tid && times.start_ticks == stat.start_ticks;
        });
    if (known != before->threads.end()) {
      base = *known;
      row->interval_ms = Since(now_ns, before->taken_ns) / os::kNsPerMs;
    }
  }
  row->tid = static_cast<uint32_t>(tid);
  row->name = stat.name;
  row->state = stat.state;
  row->user_ms = TicksToMs(Since(stat.user_ticks, base.user_ticks));
  row->system_ms = TicksToMs(Since(stat.system_ticks, base.system_ticks));
  row->nice = stat.nice;
  if (wait_ns >= 0)
    row->runqueue_wait_ms = (wait_ns - std::max<int64_t>(base.wait_ns, 0)) / int64_t{os::kNsPerMs};
  return true;
}

model::ThreadTable ProcessFacts::Threads(uint64_t now_ns, size_t most) {
  model::ThreadTable table;
  std::vector<int32_t> tids;
  const int error =
      os::ReadNumericNames((proc_ + "/self/task").c_str(), kMaxThreads, &tids, &table.threads);
  if (error != 0) {
    table.absent = proc_ + "/self/task: " + strerror(error);
    return table;
  }
  const Reading* before = Before(now_ns);
  for (const int32_t tid : tids) {
    model::ThreadRow row;
    if (DescribeThread(tid, now_ns, before, &row)) table.rows.push_back(std::move(row));
  }
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [](const model::ThreadRow& a, const model::ThreadRow& b) {
                     return std::pair(a.user_ms + a.system_ms, a.runqueue_wait_ms) >
                            std::pair(b.user_ms + b.system_ms, b.runqueue_wait_ms);
                   });
  if (table.rows.size() > most) {
    // Keep the main thread, even if idle: the dump is about it.
    const auto main = std::find_if(table.rows.begin() + static_cast<std::ptrdiff_t>(most),
                                   table.rows.end(), IsMainThread);
    if (main != table.rows.end()) std::swap(*main, table.rows[most - 1]);
    table.rows.resize(most);
  }
  return table;
}

}  // namespace stillframe::context
