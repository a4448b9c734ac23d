// SPDX-License-Identifier: Apache-2.0
// One phone through the adb program: commands as the shell's user or as the application's.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace stillframe::phone {

// Runs a program and reads its output.
constexpr int kNotFound = 127;  // as in shells
constexpr int kTimedOut = 124;  // as in timeout(1)
constexpr size_t kMaxOutput = 256U << 20;

struct Ran {
  int exit_code = kNotFound;  // 128 plus the signal that ended it
  std::string out;            // at most kMaxOutput bytes
  std::string error;

  bool is_fine() const { return exit_code == 0; }
  // Text for the user: the last line of its error output, else of its output.
  std::string complaint() const;
};

// Waits until the program ends. After `timeout` it is killed, and exit_code is kTimedOut. It has
// its own process group, so that Ctrl-C at the terminal does not end it. Its standard input is
// empty.
Ran RunProgram(const std::vector<std::string>& command, std::chrono::milliseconds timeout);

// `text` as one word for a POSIX shell.
std::string Quoted(const std::string& text);

// Lines without their ends (old phones' adb sends \r\n), and without a last empty line.
std::vector<std::string> Lines(const std::string& text);

constexpr std::chrono::seconds kCommandTimeout(20);
constexpr std::chrono::minutes kFileTimeout(5);

class Adb {
 public:
  explicit Adb(std::string serial) : serial_(std::move(serial)) {}
  const std::string& serial() const { return serial_; }

  // Returns the command's exit code, from Android 7 on. Starts adb's server if necessary.
  Ran Shell(const std::string& command) const;
  // The same as a debuggable application's user, in its folder. `command` is a shell command.
  Ran RunAs(const std::string& package, const std::string& command) const;
  // Bytes of the application's file, unchanged by the connection.
  Ran ReadAs(const std::string& package, const std::string& file) const;
  Ran Push(const std::string& from, const std::string& to) const;
  Ran Logcat(const std::vector<std::string>& arguments) const;

  // Forwards a local port to the phone's socket ("localabstract:NAME"). Returns the port; 0: adb
  // failed. Adb's server keeps it until RemoveForward or until the phone disconnects.
  uint16_t Forward(const std::string& socket) const;
  void RemoveForward(uint16_t port) const;

  // True if adb still reaches the phone.
  bool IsThere() const;

 private:
  Ran Run(std::vector<std::string> arguments, std::chrono::milliseconds timeout) const;

  std::string serial_;
};

}  // namespace stillframe::phone
