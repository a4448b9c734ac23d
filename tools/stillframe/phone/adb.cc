// SPDX-License-Identifier: Apache-2.0
// Command lines of adb.
#include "tools/stillframe/phone/adb.h"

#include <charconv>

namespace stillframe::phone {

Ran Adb::Run(std::vector<std::string> arguments, std::chrono::milliseconds timeout) const {
  std::vector<std::string> command = {"adb", "-s", serial_};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return RunProgram(command, timeout);
}

Ran Adb::Shell(const std::string& command) const {
  return Run({"shell", command}, kCommandTimeout);
}

Ran Adb::RunAs(const std::string& package, const std::string& command) const {
  return Shell("run-as " + Quoted(package) + " sh -c " + Quoted(command));
}

Ran Adb::ReadAs(const std::string& package, const std::string& file) const {
  return Run({"exec-out", "run-as " + Quoted(package) + " cat " + Quoted(file)}, kFileTimeout);
}

Ran Adb::Push(const std::string& from, const std::string& to) const {
  return Run({"push", from, to}, kFileTimeout);
}

Ran Adb::Logcat(const std::vector<std::string>& arguments) const {
  std::vector<std::string> command = {"logcat", "-d"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return Run(command, kCommandTimeout);
}

uint16_t Adb::Forward(const std::string& socket) const {
  const Ran ran = Run({"forward", "tcp:0", socket}, kCommandTimeout);
  uint16_t port = 0;
  if (ran.is_fine()) std::from_chars(ran.out.data(), ran.out.data() + ran.out.size(), port);
  return port;
}

void Adb::RemoveForward(uint16_t port) const {
  Run({"forward", "--remove", "tcp:" + std::to_string(port)}, kCommandTimeout);
}

bool Adb::IsThere() const {
  const Ran ran = Run({"get-state"}, kCommandTimeout);
  return ran.is_fine() && ran.out.starts_with("device");
}

}  // namespace stillframe::phone
