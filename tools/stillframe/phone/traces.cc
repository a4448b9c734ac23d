// SPDX-License-Identifier: Apache-2.0
// One command line each, which says at its end that it came there.
#include "tools/stillframe/phone/traces.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/stillframe/phone/doctor.h"

namespace stillframe::phone {
namespace {

constexpr const char* kShared = "/data/local/tmp/stillframe";

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

bool TakeAway(const Adb& adb, const std::string& package, std::string* error) {
  const std::string property = WrapProperty(package);
  const std::string shared = SharedFolder(package);
  // Another one's property stays.
  const Ran wrap = adb.Shell("getprop " + Quoted(property));
  if (wrap.out.find(kOwnFolder) != std::string::npos)
    adb.Shell(fmt::format("setprop {} ''", Quoted(property)));
  // An application that was uninstalled has taken its part with it.
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

}  // namespace stillframe::phone
