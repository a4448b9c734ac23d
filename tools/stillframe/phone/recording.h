// SPDX-License-Identifier: Apache-2.0
// Records an application on a phone: installs the library into the process, fetches the dumps, and
// restores everything else.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "tools/stillframe/phone/adb.h"
#include "tools/stillframe/phone/doctor.h"
#include "tools/stillframe/phone/dumps.h"

namespace stillframe::phone {

// Files on the phone during a recording, and their removal, also after an interruption.
// Below the shell's folder, one folder for each application. It is created first and removed last,
// so that a later run detects an interrupted recording.
std::string SharedFolder(const std::string& package);
// In the application's own folder: the library and its dumps.
constexpr const char* kOwnFolder = "code_cache/stillframe";
constexpr const char* kDumpsFolder = "code_cache/stillframe/dumps";
constexpr const char* kLibraryName = "libstillframe.so";

// Letters, digits, dots and underscores, as Android requires.
bool IsPackageName(const std::string& name);

// Applications with remains of a recording.
std::vector<std::string> BrokenOff(const Adb& adb);

// Removes a recording. False if something is left; then `error` says why.
bool RemoveSettings(const Adb& adb, const std::string& package, std::string* error);

struct RecordingPlan {
  std::chrono::seconds length{0};  // 0: until the first dump
  bool by_wrap = false;            // restarts the process, to record from its start
  std::string settings;            // the profiler's: "slow_ms=20,interval_us=5000"
  std::string output;              // local folder
};

// Callbacks during a recording, on the thread that calls its steps.
struct Listeners {
  std::function<void(const std::string&)> say;  // lines for people
  std::function<void(uint64_t)> tick;           // once a second: seconds since the wait began
  // The process reports its messages behind this local port (include/stillframe/live.h).
  std::function<void(uint16_t)> watch;
  // Shows the reports until the given time, then returns.
  std::function<void(std::chrono::steady_clock::time_point)> follow;
};

// NAME=VALUE,...; a part without = belongs to the previous value.
bool AreSettings(const std::string& text);

// Steps, in this order. Each returns false with a problem in words; after that, only CleanUp is
// useful. Prints nothing.
class Recording {
 public:
  // `*stop` ends the wait.
  Recording(Patient patient, RecordingPlan plan, Listeners listeners,
            const std::atomic<bool>* stop);

  // Fetches what an interrupted recording of any application left.
  bool CleanUpBefore();
  // Installs the library on the phone and in the process, and enables the profiler.
  bool Begin();
  // Waits until the time is over, `stop` is set, or a dump arrives. Then requests a dump if there
  // is none.
  bool Wait();
  bool Fetch();
  // Removes everything that Begin installed.
  bool CleanUp();

  const std::vector<std::string>& files() const { return files_; }  // local dumps
  const std::string& problem() const { return problem_; }

 private:
  bool Fail(const std::string& what);
  bool FetchAll(const std::string& package, const std::string& folder);
  bool BringLibrary();
  bool StartByWrap();
  bool StartApplication();
  bool Attach();
  bool AwaitProfiler();
  void AwaitTraces() const;
  bool HasProfiler() const;
  bool IsProcessThere() const;
  void BeginToWatch();
  std::vector<std::string> Settings() const;

  Patient patient_;
  RecordingPlan plan_;
  Listeners listeners_;
  const std::atomic<bool>* stop_;
  Adb adb_;
  int pid_ = 0;
  uint16_t live_port_ = 0;  // forwarded to the process's socket; 0: none
  bool has_started_application_ = false;
  bool has_ended_ = false;  // the process ended by itself
  std::vector<std::string> files_;
  std::string problem_;
};

}  // namespace stillframe::phone
