// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/phone/doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tools/stillframe/phone/adb.h"
#include "tools/stillframe/phone/recording.h"

namespace stillframe::phone {
namespace {

// Choice of the phone.

// Either a phone that responds, or a problem and its remedy.
struct ChosenDevice {
  std::string serial;
  std::string problem;
  std::string remedy;
};

constexpr std::chrono::seconds kConnectTimeout(5);
constexpr std::chrono::milliseconds kDoctorPause(200);

struct Device {
  std::string serial;
  std::string state;
};

// Parses "SERIAL\tSTATE" lines after the heading.
std::vector<Device> DevicesIn(const std::string& text) {
  std::vector<Device> devices;
  for (const std::string& line : Lines(text)) {
    const size_t tab = line.find('\t');
    if (tab != std::string::npos) devices.push_back({line.substr(0, tab), line.substr(tab + 1)});
  }
  return devices;
}

std::string RemedyOf(const std::string& state) {
  if (state == "unauthorized")
    return "unlock the phone and allow USB debugging for this computer; adb kill-server asks again";
  if (state == "offline") return "unplug it and plug it in again, or: adb reconnect offline";
  if (state.starts_with("no permissions"))
    return "this user may not use the USB device: install android-sdk-platform-tools-common, or "
           "join the group plugdev";
  if (state == "recovery" || state == "sideload" || state == "bootloader")
    return "start Android on it";
  return "see adb devices";
}

ChosenDevice Judged(const Device& device) {
  if (device.state == "device") return {device.serial, "", ""};
  return {"", fmt::format("{} is {}", device.serial, device.state), RemedyOf(device.state)};
}

// A phone that was just connected.
bool IsConnecting(const Device& device) {
  return device.state == "connecting" || device.state == "authorizing";
}

// Output of `adb devices`, after waiting up to kConnectTimeout for connecting phones.
Ran ListDevices() {
  const auto end = std::chrono::steady_clock::now() + kConnectTimeout;
  for (;;) {
    Ran ran = RunProgram({"adb", "devices"}, kCommandTimeout);
    const std::vector<Device> devices = DevicesIn(ran.out);
    if (!std::any_of(devices.begin(), devices.end(), IsConnecting) ||
        std::chrono::steady_clock::now() > end)
      return ran;
    std::this_thread::sleep_for(kDoctorPause);
  }
}

ChosenDevice ChosenFrom(const std::vector<Device>& devices, const std::string& wanted) {
  if (!wanted.empty()) {
    const auto found = std::find_if(devices.begin(), devices.end(),
                                    [&](const Device& device) { return device.serial == wanted; });
    if (found != devices.end()) return Judged(*found);
    return {"", "adb sees no phone " + wanted, "see adb devices"};
  }
  if (devices.empty())
    return {"", "adb sees no phone",
            "connect one, with USB debugging switched on in its developer options"};
  if (devices.size() == 1) return Judged(devices.front());
  std::string names;
  for (const Device& device : devices) names += (names.empty() ? "" : ", ") + device.serial;
  return {"", fmt::format("adb sees {} phones: {}", devices.size(), names),
          "choose one with --serial"};
}

// The phone with this serial. Without one (nor ANDROID_SERIAL), the only phone.
ChosenDevice ChooseDevice(const std::string& serial) {
  const char* const from_environment = std::getenv("ANDROID_SERIAL");
  const std::string wanted = serial.empty() && from_environment ? from_environment : serial;
  const Ran ran = ListDevices();
  if (ran.exit_code == kNotFound)
    return {"", "adb is not installed", "install it: apt install adb"};
  if (!ran.is_fine())
    return {"", "adb does not answer: " + ran.complaint(), "try: adb kill-server; adb devices"};
  return ChosenFrom(DevicesIn(ran.out), wanted);
}

constexpr long kNeededKib = 16 * 1024;
constexpr std::array<std::string_view, 4> kAbis = {"arm64-v8a", "armeabi-v7a", "x86_64", "x86"};

bool IsKnownAbi(const std::string& abi) {
  return std::find(kAbis.begin(), kAbis.end(), abi) != kAbis.end();
}

std::vector<std::string> Split(const std::string& text, char at) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(at, begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

long NumberIn(const std::string& text) {
  long number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// The word after `name=` in dumpsys output; "": none.
std::string FieldIn(const std::string& text, const std::string& name) {
  const size_t at = text.find(name + "=");
  if (at == std::string::npos) return "";
  const size_t begin = at + name.size() + 1;
  return text.substr(begin, text.find_first_of(" \r\n", begin) - begin);
}

// "flags=[ DEBUGGABLE HAS_CODE ]", or pkgFlags=[...
bool HasFlag(const std::string& text, const std::string& flag) {
  for (size_t at = text.find("lags=["); at != std::string::npos; at = text.find("lags=[", at + 1))
    if (text.substr(at, text.find(']', at) - at).find(" " + flag + " ") != std::string::npos)
      return true;
  return false;
}

class Doctor {
 public:
  Doctor(const Question& question, Examination* examination)
      : question_(question), examination_(*examination), adb_(examination->patient.serial) {}

  bool LookAtPhone() {
    const Ran ran = adb_.Shell(
        "getprop ro.build.version.sdk; getprop ro.build.version.release; getprop "
        "ro.product.cpu.abilist; getprop ro.product.model; df -k /data | tail -n 1");
    const std::vector<std::string> lines = Lines(ran.out);
    if (!ran.is_fine() || lines.size() != 5)
      return Problem("its shell does not answer: " + ran.complaint(), "restart the phone");
    Patient& patient = examination_.patient;
    patient.api = static_cast<int>(NumberIn(lines[0]));
    patient.abis = Split(lines[2], ',');
    const std::string model = fmt::format("{}, {}", adb_.serial(), lines[3]);
    if (patient.api < kLowestApi)
      return Problem(fmt::format("{}: Android {} (API {}) is too old", model, lines[1], lines[0]),
                     "Android 8 (API 26) is the first that can be recorded");
    if (patient.abis.empty() || !IsKnownAbi(patient.abis.front()))
      return Problem(fmt::format("{}: no library for its CPU ({})", model, lines[2]), "");
    Passed(fmt::format("{}, Android {} (API {}), {}", model, lines[1], lines[0],
                       patient.abis.front()));
    const std::vector<std::string> space = Split(lines[4], ' ');
    if (space.size() >= 4 && NumberIn(space[3]) < kNeededKib)
      return Problem(fmt::format("/data has {} KiB left", space[3]),
                     fmt::format("make room: {} KiB are needed", kNeededKib));
    return true;
  }

  bool LookAtPackage() {
    Patient& patient = examination_.patient;
    patient.package = question_.package;
    const std::string name = Quoted(patient.package);
    const Ran path = adb_.Shell("pm path " + name);
    if (!path.out.starts_with("package:"))
      return Problem(patient.package + " is not installed",
                     "adb shell pm list packages has the names");
    const std::string facts = adb_.Shell("dumpsys package " + name).out;
    if (!HasFlag(facts, "DEBUGGABLE"))
      return Problem(patient.package + " is not debuggable",
                     "install a debug build (android:debuggable=\"true\"); a release build can "
                     "carry the library itself: docs/getting-started.md");
    const Ran home = adb_.Shell("run-as " + name + " pwd");
    if (!home.is_fine() || !home.out.starts_with("/"))
      return Problem("run-as cannot become " + patient.package + ": " + home.complaint(),
                     "it must be installed for the phone's first user, who must be unlocked");
    patient.home = Lines(home.out).front();
    Passed(fmt::format("{} {} is debuggable", patient.package, FieldIn(facts, "versionName")));
    return ChooseAbi(FieldIn(facts, "primaryCpuAbi"));
  }

  bool LookAtLibrary() {
    Patient& patient = examination_.patient;
    const std::filesystem::path file =
        std::filesystem::path(question_.libraries) / patient.abi / "libstillframe.so";
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored))
      return Problem(fmt::format("no library for {}: {}", patient.abi, file.string()),
                     "build it with ./tools/android, or name its folder with --libraries");
    patient.library = file.string();
    Passed("the library for it is " + patient.library);
    return true;
  }

  bool LookAtState() {
    Patient& patient = examination_.patient;
    patient.pids = PidsOf(adb_, patient.package);
    patient.wrap = adb_.Shell("getprop " + Quoted(WrapProperty(patient.package))).out;
    while (!patient.wrap.empty() && patient.wrap.back() <= ' ') patient.wrap.pop_back();
    patient.was_broken_off = !BrokenOff(adb_).empty();
    if (patient.was_broken_off)
      Note("a recording was broken off", "the next one fetches its dumps and takes the rest away");
    else if (!patient.wrap.empty())
      Note(fmt::format("something else wraps its start: {}", patient.wrap),
           "a recording from its start needs that place: --wrap will not work");
    if (patient.pids.empty()) {
      Note(patient.package + " does not run", "a recording starts it");
      return true;
    }
    Passed(fmt::format("{} runs as process {}", patient.package, patient.pids.front()));
    LookAtProfiler(patient.pids.front());
    return true;
  }

  // A library that the application itself carries, by its log (src/collector).
  void LookAtProfiler(int pid) {
    const Ran log = adb_.Logcat({"-v", "raw", "--pid", std::to_string(pid), "-s", "stillframe"});
    std::string state;
    std::string tap;
    for (const std::string& line : Lines(log.out)) {
      if (line.starts_with("the tap is ") || line.starts_with("no tap: ")) tap = line;
      if (line.starts_with("on: ") || line.starts_with("on, ") || line.starts_with("off: ") ||
          line.starts_with("the profiler stays off: "))
        state = line;
    }
    if (state.starts_with("on"))
      Passed("Stillframe in it is " + state);
    else if (!state.empty())
      Note("Stillframe in it: " + state, "docs/faq.md has the reasons");
    if (!tap.empty()) Note("Stillframe in it: " + tap, "docs/faq.md#taps has what each tap sees");
  }

 private:
  void Passed(std::string what) {
    examination_.findings.push_back({Finding::Kind::kFine, std::move(what), ""});
  }
  void Note(std::string what, std::string remedy) {
    examination_.findings.push_back({Finding::Kind::kNote, std::move(what), std::move(remedy)});
  }
  bool Problem(std::string what, std::string remedy) {
    examination_.findings.push_back({Finding::Kind::kProblem, std::move(what), std::move(remedy)});
    return false;
  }

  // `primary` is null for an application without native code, which runs with the phone's first
  // ABI.
  bool ChooseAbi(const std::string& primary) {
    Patient& patient = examination_.patient;
    const std::string& own = patient.abis.front();
    patient.abi = primary.empty() || primary == "null" ? own : primary;
    if (!IsKnownAbi(patient.abi))
      return Problem(fmt::format("{} runs as {}; no library for it", patient.package, patient.abi),
                     "");
    if (patient.abi.starts_with("arm") != own.starts_with("arm"))
      return Problem(
          fmt::format("{} is translated from {} for this {}", patient.package, patient.abi, own),
          "a translated process cannot be sampled; install a build for " + own);
    return true;
  }

  const Question& question_;
  Examination& examination_;
  Adb adb_;
};

}  // namespace

bool Examination::is_fine() const {
  return std::none_of(
      findings.begin(), findings.end(),
      [](const Finding& finding) { return finding.kind == Finding::Kind::kProblem; });
}

Examination Examine(const Question& question) {
  Examination examination;
  const ChosenDevice device = ChooseDevice(question.serial);
  if (device.serial.empty()) {
    examination.findings.push_back({Finding::Kind::kProblem, device.problem, device.remedy});
    return examination;
  }
  examination.patient.serial = device.serial;
  Doctor doctor(question, &examination);
  if (!doctor.LookAtPhone() || question.package.empty() || !doctor.LookAtPackage())
    return examination;
  if (!question.needs_library || doctor.LookAtLibrary()) doctor.LookAtState();
  return examination;
}

std::string WrapProperty(const std::string& package) { return "wrap." + package; }

std::vector<int> PidsOf(const Adb& adb, const std::string& package) {
  std::vector<int> pids;
  for (const std::string& line : Lines(adb.Shell("pidof " + Quoted(package)).out))
    for (const std::string& word : Split(line, ' '))
      if (const long pid = NumberIn(word); pid > 0) pids.push_back(static_cast<int>(pid));
  return pids;
}

}  // namespace stillframe::phone
