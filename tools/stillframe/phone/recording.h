// SPDX-License-Identifier: Apache-2.0
// A recording of an application that runs on a phone: the library goes there and into the process,
// dumps come back, and all else is as it was.
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

// What a recording leaves on the phone while it lasts, and how that is taken away again, also
// after one that was broken off.
// Below the shell's folder, one folder for each application; it is made before anything else and
// goes last, so that whoever comes later finds what was broken off.
std::string SharedFolder(const std::string& package);
// In the application's own folder: the library, and its dumps.
constexpr const char* kOwnFolder = "code_cache/stillframe";
constexpr const char* kDumpsFolder = "code_cache/stillframe/dumps";
constexpr const char* kLibraryName = "libstillframe.so";

// Letters, digits, dots and underscores, as Android has them.
bool IsPackageName(const std::string& name);

// Applications whose recording has left something.
std::vector<std::string> BrokenOff(const Adb& adb);

// Whether nothing of a recording is left; says in `error` why not.
bool TakeAway(const Adb& adb, const std::string& package, std::string* error);

struct RecordingPlan {
  std::chrono::seconds length{0};  // 0: until a dump comes by itself
  bool by_wrap = false;            // from the start of the process, which is started anew
  std::string settings;            // of the profiler: "slow_ms=20,interval_us=5000"
  std::string output;              // a folder, here
};

// Who hears of a recording while it goes on; each is called on its own thread.
struct Listeners {
  std::function<void(const std::string&)> say;  // lines for people
  std::function<void(uint64_t)> tick;           // once a second, the seconds since the wait began
  // The process tells of its messages behind this port of this machine (include/stillframe/live.h).
  std::function<void(uint16_t)> watch;
  // Returns at that time, and shows until then what it told.
  std::function<void(std::chrono::steady_clock::time_point)> follow;
};

// Whether it is NAME=VALUE,...; what has no = belongs to the value before it.
bool AreSettings(const std::string& text);

// Steps in this order; each returns false with a problem in words, after which only CleanUp is of
// use. Prints nothing.
class Recording {
 public:
  // `*stop` ends the wait.
  Recording(Patient patient, RecordingPlan plan, Listeners listeners,
            const std::atomic<bool>* stop);

  // Fetches what a recording that was broken off has left, of any application.
  bool CleanUpBefore();
  // The library is on the phone and in the process, and the profiler is on.
  bool Begin();
  // Until the time is over, somebody stops it, or a dump has come; then takes one if none has.
  bool Wait();
  bool Fetch();
  // Takes everything away that Begin has brought.
  bool CleanUp();

  const std::vector<std::string>& files() const { return files_; }  // dumps, here
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
  uint16_t live_port_ = 0;  // led to the process's socket, 0 for none
  bool has_started_application_ = false;
  bool has_ended_ = false;  // the process, by itself
  std::vector<std::string> files_;
  std::string problem_;
};

}  // namespace stillframe::phone
