// SPDX-License-Identifier: Apache-2.0
// Reads `adb devices`.
#include "tools/stillframe/phone/device_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include "tools/stillframe/phone/adb.h"

namespace stillframe::phone {
namespace {

constexpr std::chrono::seconds kConnectTimeout(5);
constexpr std::chrono::milliseconds kPause(200);

struct Device {
  std::string serial;
  std::string state;
};

// "SERIAL\tSTATE", behind a line that says so.
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

// A phone that has just been connected.
bool IsOnItsWay(const Device& device) {
  return device.state == "connecting" || device.state == "authorizing";
}

// As `adb devices` has them, after those that are on their way have come, or not.
Ran ListDevices() {
  const auto end = std::chrono::steady_clock::now() + kConnectTimeout;
  for (;;) {
    Ran ran = RunProgram({"adb", "devices"}, kCommandTimeout);
    const std::vector<Device> devices = DevicesIn(ran.out);
    if (!std::any_of(devices.begin(), devices.end(), IsOnItsWay) ||
        std::chrono::steady_clock::now() > end)
      return ran;
    std::this_thread::sleep_for(kPause);
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

}  // namespace

ChosenDevice ChooseDevice(const std::string& serial) {
  const char* const from_environment = std::getenv("ANDROID_SERIAL");
  const std::string wanted = serial.empty() && from_environment ? from_environment : serial;
  const Ran ran = ListDevices();
  if (ran.exit_code == kNotFound) return {"", "adb is not there", "install it: apt install adb"};
  if (!ran.is_fine())
    return {"", "adb does not answer: " + ran.complaint(), "try: adb kill-server; adb devices"};
  return ChosenFrom(DevicesIn(ran.out), wanted);
}

}  // namespace stillframe::phone
