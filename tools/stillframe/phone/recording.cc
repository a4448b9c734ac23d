// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/phone/recording.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <thread>
#include <utility>

#include <stillframe/live.h>

#include "tools/stillframe/phone/doctor.h"

namespace stillframe::phone {
namespace {

using std::chrono::seconds;

constexpr const char* kShared = "/data/local/tmp/stillframe";

using Clock = std::chrono::steady_clock;

constexpr seconds kStartTimeout(30);
constexpr seconds kDumpTimeout(30);
constexpr seconds kTracesTimeout(10);
constexpr seconds kTracesPause(1);
constexpr std::chrono::milliseconds kPause(250);
constexpr const char* kLive = "live=";
constexpr const char* kOn = "on: ";
constexpr const char* kOff = "the profiler stays off: ";

// "slow_ms=20,live=1" as KEY=VALUE pairs. A part without = belongs to the previous value.
std::vector<std::string> Pairs(const std::string& settings) {
  std::vector<std::string> pairs;
  for (size_t at = 0; at < settings.size();) {
    const size_t end = std::min(settings.find(',', at), settings.size());
    const std::string word = settings.substr(at, end - at);
    if (word.find('=') == std::string::npos && !pairs.empty())
      pairs.back() += "," + word;
    else if (!word.empty())
      pairs.push_back(word);
    at = end + 1;
  }
  return pairs;
}

// Converts slow_ms=20 to STILLFRAME_SLOW_MS='20', for a shell.
std::string AsVariable(const std::string& pair) {
  const size_t end = std::min(pair.find('='), pair.size());
  std::string name = pair.substr(0, end);
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return fmt::format("STILLFRAME_{}={}", name, Quoted(pair.substr(std::min(end + 1, pair.size()))));
}

}  // namespace

std::string SharedFolder(const std::string& package) {
  return fmt::format("{}/{}", kShared, package);
}

bool IsPackageName(const std::string& name) {
  return !name.empty() && name.front() != '.' &&
         std::all_of(
             name.begin(), name.end(),
             [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '.' || c == '_';
             });
}

std::vector<std::string> BrokenOff(const Adb& adb) {
  std::vector<std::string> packages = Lines(adb.Shell(fmt::format("ls {} 2>&1", kShared)).out);
  std::erase_if(packages, [](const std::string& name) { return !IsPackageName(name); });
  return packages;
}

bool RemoveSettings(const Adb& adb, const std::string& package, std::string* error) {
  const std::string property = WrapProperty(package);
  const std::string shared = SharedFolder(package);
  // A property set by something else stays.
  const Ran wrap = adb.Shell("getprop " + Quoted(property));
  if (wrap.out.find(kOwnFolder) != std::string::npos)
    adb.Shell(fmt::format("setprop {} ''", Quoted(property)));
  // Uninstalling an application also removes its own folder.
  const Ran removed = adb.Shell(fmt::format(
      "pm path {0} > /dev/null && run-as {0} rm -rf {1}; rm -rf {2}; rmdir {3} 2> /dev/null; "
      "getprop {4}; run-as {0} ls -d {1} 2> /dev/null; ls -d {2} 2> /dev/null; echo done",
      Quoted(package), kOwnFolder, shared, kShared, Quoted(property)));
  std::vector<std::string> left = Lines(removed.out);
  const bool came_to_end = !left.empty() && left.back() == "done";
  if (came_to_end) left.pop_back();
  std::erase_if(left, [](const std::string& line) {
    return line.find(kOwnFolder) == std::string::npos && !line.starts_with(kShared);
  });
  if (came_to_end && left.empty()) return true;
  *error = came_to_end ? "this could not be taken away: " + left.front() : removed.complaint();
  return false;
}

bool AreSettings(const std::string& text) {
  const std::vector<std::string> pairs = Pairs(text);
  return !pairs.empty() && std::all_of(pairs.begin(), pairs.end(), [](const std::string& pair) {
    const size_t end = pair.find('=');
    return end != std::string::npos && end > 0 &&
           std::all_of(pair.begin(), pair.begin() + static_cast<std::ptrdiff_t>(end),
                       [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
  });
}

Recording::Recording(Patient patient, RecordingPlan plan, Listeners listeners,
                     const std::atomic<bool>* stop)
    : patient_(std::move(patient)),
      plan_(std::move(plan)),
      listeners_(std::move(listeners)),
      stop_(stop),
      adb_(patient_.serial) {}

bool Recording::Fail(const std::string& what) {
  problem_ = adb_.IsThere()
                 ? what
                 : fmt::format(
                       "{} was unplugged: adb does not reach it any more; what is left on "
                       "it goes with the next recording",
                       patient_.serial);
  return false;
}

bool Recording::CleanUpBefore() {
  for (const std::string& package : BrokenOff(adb_)) {
    listeners_.say(fmt::format(
        "a recording of {} was broken off; its dumps are fetched, the rest goes", package));
    std::string error;
    if (!FetchAll(package, kDumpsFolder)) return false;
    if (!RemoveSettings(adb_, package, &error)) return Fail(error);
  }
  return true;
}

bool Recording::Begin() {
  // On examination, the property was unset or left by an interrupted recording.
  if (plan_.by_wrap && !patient_.wrap.empty() &&
      patient_.wrap.find(kOwnFolder) == std::string::npos)
    return Fail(fmt::format("something else wraps its start: {}", patient_.wrap));
  if (!BringLibrary()) return false;
  if (plan_.by_wrap) return StartByWrap() && AwaitProfiler();
  if (patient_.pids.empty() && !StartApplication()) return false;
  if (!patient_.pids.empty()) pid_ = patient_.pids.front();
  if (HasProfiler()) {
    listeners_.say(fmt::format("process {} has the profiler from before", pid_));
    return true;
  }
  return Attach() && AwaitProfiler();
}

bool Recording::BringLibrary() {
  const std::string shared = SharedFolder(patient_.package);
  const Ran made = adb_.Shell("mkdir -p " + shared);
  if (!made.is_fine()) return Fail(shared + ": " + made.complaint());
  const Ran pushed = adb_.Push(patient_.library, shared + "/" + kLibraryName);
  if (!pushed.is_fine()) return Fail("the library was not copied: " + pushed.complaint());
  // On some Android versions the application cannot read the shell's folder, so the shell reads it.
  // Apps for Android 17 load only read-only files. A process may still use an earlier file, so that
  // is replaced, not overwritten.
  const std::string copy = fmt::format(
      "mkdir -p {0} && rm -f {1}.new && cat > {1}.new && chmod 0500 {1}.new && mv -f {1}.new {1}",
      kDumpsFolder, fmt::format("{}/{}", kOwnFolder, kLibraryName));
  const Ran copied = adb_.Shell(fmt::format("cat {}/{} | run-as {} sh -c {}", shared, kLibraryName,
                                            Quoted(patient_.package), Quoted(copy)));
  if (!copied.is_fine())
    return Fail("the library was not copied into the application: " + copied.complaint());
  return true;
}

// Enables the live socket unless the settings disable it.
std::vector<std::string> Recording::Settings() const {
  std::vector<std::string> pairs = Pairs(plan_.settings);
  if (std::none_of(pairs.begin(), pairs.end(),
                   [](const std::string& pair) { return pair.starts_with(kLive); }))
    pairs.push_back(kLive + std::string("1"));
  pairs.push_back(fmt::format("dump_dir={}/{}", patient_.home, kDumpsFolder));
  return pairs;
}

bool Recording::StartApplication() {
  const std::string name = Quoted(patient_.package);
  const Ran found = adb_.Shell(
      "cmd package resolve-activity --brief -c android.intent.category.LAUNCHER " + name);
  const std::vector<std::string> lines = Lines(found.out);
  if (lines.empty() || lines.back().find('/') == std::string::npos)
    return Fail(patient_.package + " has no activity to start; start it by hand and record again");
  const Ran started = adb_.Shell("am start -W -n " + Quoted(lines.back()));
  if (!started.is_fine() || started.out.find("Error") != std::string::npos)
    return Fail("it was not started: " + started.complaint());
  has_started_application_ = true;
  const Clock::time_point end = Clock::now() + kStartTimeout;
  while (patient_.pids.empty()) {
    patient_.pids = PidsOf(adb_, patient_.package);
    if (Clock::now() > end) return Fail(patient_.package + " has not started");
    if (patient_.pids.empty()) std::this_thread::sleep_for(kPause);
  }
  pid_ = patient_.pids.front();
  listeners_.say(fmt::format("started {} as process {}", patient_.package, pid_));
  return true;
}

bool Recording::StartByWrap() {
  // A property holds 91 bytes, so it names a script that contains the commands.
  std::string script =
      fmt::format("export LD_PRELOAD={}/{}/{}\n", patient_.home, kOwnFolder, kLibraryName);
  for (const std::string& pair : Settings()) script += "export " + AsVariable(pair) + "\n";
  script += "exec \"$@\"\n";
  const std::string file = fmt::format("{}/wrap.sh", kOwnFolder);
  const Ran written =
      adb_.RunAs(patient_.package, fmt::format("printf %s {} > {}", Quoted(script), file));
  if (!written.is_fine()) return Fail("wrap.sh was not written: " + written.complaint());
  const std::string property = Quoted(WrapProperty(patient_.package));
  const std::string value = fmt::format("sh {}/{}", patient_.home, file);
  const Ran set = adb_.Shell(fmt::format("setprop {0} {1}; getprop {0}", property, Quoted(value)));
  if (set.out.find(value) == std::string::npos)
    return Fail("this phone does not allow a wrapped application start: " + set.complaint() +
                "; record without --wrap");
  adb_.Shell("am force-stop " + Quoted(patient_.package));
  patient_.pids.clear();
  return StartApplication();
}

bool Recording::Attach() {
  const std::string agent = fmt::format("{}/{}/{}={}", patient_.home, kOwnFolder, kLibraryName,
                                        fmt::join(Settings(), ","));
  const Ran ran = adb_.Shell(fmt::format("am attach-agent {} {}", pid_, Quoted(agent)));
  if (!ran.is_fine() || ran.error.find("Exception") != std::string::npos)
    return Fail("the agent was not attached: " + ran.complaint());
  return true;
}

bool Recording::AwaitProfiler() {
  const Clock::time_point end = Clock::now() + kStartTimeout;
  while (Clock::now() < end) {
    const Ran log = adb_.Logcat({"-v", "raw", "--pid", std::to_string(pid_), "-s", "stillframe"});
    for (const std::string& line : Lines(log.out)) {
      if (line.starts_with(kOff)) return Fail(line);
      if (!line.starts_with(kOn)) continue;
      listeners_.say(fmt::format("process {}: {}", pid_, line));
      return true;
    }
    if (!log.is_fine() && !adb_.IsThere()) return Fail(log.complaint());
    if (!IsProcessThere()) return Fail(patient_.package + " has ended");
    std::this_thread::sleep_for(kPause);
  }
  return Fail(fmt::format("no word of the profiler in {} s; adb logcat --pid {} may have more",
                          kStartTimeout.count(), pid_));
}

bool Recording::HasProfiler() const {
  return adb_.RunAs(patient_.package, fmt::format("grep -q {} /proc/{}/maps", kLibraryName, pid_))
      .is_fine();
}

bool Recording::IsProcessThere() const {
  const std::vector<int> pids = PidsOf(adb_, patient_.package);
  return std::find(pids.begin(), pids.end(), pid_) != pids.end();
}

void Recording::BeginToWatch() {
  const std::vector<std::string> settings = Settings();
  if (std::find(settings.begin(), settings.end(), kLive + std::string("0")) != settings.end())
    return;
  live_port_ = adb_.Forward(fmt::format("localabstract:{}{}", live::kSocketPrefix, pid_));
  if (live_port_ != 0) listeners_.watch(live_port_);
}

bool Recording::Wait() {
  BeginToWatch();
  const Clock::time_point begin = Clock::now();
  const auto has_dump = [this] { return !FindDumps(adb_, patient_.package, kDumpsFolder).empty(); };
  for (uint64_t second = 1; !stop_->load(); ++second) {
    if (plan_.length.count() > 0 ? Clock::now() - begin >= plan_.length : has_dump()) break;
    if (!IsProcessThere()) {
      if (!adb_.IsThere()) return Fail("");
      listeners_.say(patient_.package + " has ended");
      has_ended_ = true;
      return true;
    }
    listeners_.tick(second);
    listeners_.follow(begin + seconds(second));
  }
  if (plan_.length.count() == 0 && !stop_->load()) {
    AwaitTraces();
    return true;
  }
  const size_t before = FindDumps(adb_, patient_.package, kDumpsFolder).size();
  const Ran asked = adb_.RunAs(patient_.package, fmt::format("kill -QUIT {}", pid_));
  if (!asked.is_fine()) return Fail("no dump could be asked for: " + asked.complaint());
  const Clock::time_point end = Clock::now() + kDumpTimeout;
  while (FindDumps(adb_, patient_.package, kDumpsFolder).size() <= before) {
    if (Clock::now() > end || !IsProcessThere()) return Fail("no dump came");
    std::this_thread::sleep_for(kPause);
  }
  AwaitTraces();
  return true;
}

// A dump appears at once, and is replaced by a longer one when the Signal Catcher's traces arrive.
void Recording::AwaitTraces() const {
  std::vector<uint64_t> before;
  for (const Clock::time_point end = Clock::now() + kTracesTimeout; Clock::now() < end;) {
    std::vector<uint64_t> bytes;
    for (const RemoteDump& dump : FindDumps(adb_, patient_.package, kDumpsFolder))
      bytes.push_back(dump.bytes);
    if (bytes == before) return;
    before = std::move(bytes);
    std::this_thread::sleep_for(kTracesPause);
  }
}

bool Recording::FetchAll(const std::string& package, const std::string& folder) {
  for (const RemoteDump& dump : FindDumps(adb_, package, folder)) {
    std::string error;
    if (!FetchDump(adb_, package, dump, plan_.output, &error)) return Fail(error);
    files_.push_back(plan_.output + "/" + dump.name());
    listeners_.say("fetched " + files_.back());
  }
  return true;
}

bool Recording::Fetch() {
  if (!FetchAll(patient_.package, kDumpsFolder)) return false;
  return !files_.empty() || Fail("no dump was taken");
}

bool Recording::CleanUp() {
  if (live_port_ != 0) adb_.RemoveForward(live_port_);
  if (has_started_application_) adb_.Shell("am force-stop " + Quoted(patient_.package));
  std::string error;
  if (!RemoveSettings(adb_, patient_.package, &error)) return Fail(error);
  if (pid_ != 0 && !has_started_application_ && !has_ended_)
    listeners_.say(fmt::format("process {} keeps the profiler, at rest, until it ends", pid_));
  return true;
}

}  // namespace stillframe::phone
