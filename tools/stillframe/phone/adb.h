// SPDX-License-Identifier: Apache-2.0
// One phone over adb, the program: commands of its shell, as its shell's user or as the
// application's.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace stillframe::phone {

// Runs a program and reads what it says.
constexpr int kNotFound = 127;  // as shells say it
constexpr int kTimedOut = 124;  // likewise
constexpr size_t kMaxOutput = 256U << 20;

struct Ran {
  int exit_code = kNotFound;  // 128 and the signal where one has ended it
  std::string out;            // at most kMaxOutput bytes
  std::string error;

  bool is_fine() const { return exit_code == 0; }
  // What to tell somebody: the last line of its complaint, else of its output.
  std::string complaint() const;
};

// Waits until it has ended. After `timeout` it is killed and exit_code is kTimedOut. It is in a
// process group of its own, so that Ctrl-C at the desk does not end it; its standard input is
// empty.
Ran RunProgram(const std::vector<std::string>& command, std::chrono::milliseconds timeout);

// `text` as one word for a POSIX shell.
std::string Quoted(const std::string& text);

// Its lines, without their ends (adb of old phones sends \r\n), without the last empty one.
std::vector<std::string> Lines(const std::string& text);

constexpr std::chrono::seconds kCommandTimeout(20);
constexpr std::chrono::minutes kFileTimeout(5);

class Adb {
 public:
  explicit Adb(std::string serial) : serial_(std::move(serial)) {}
  const std::string& serial() const { return serial_; }

  // Ends with the exit code of the command, from Android 7 on. A server of adb that does not run is
  // started.
  Ran Shell(const std::string& command) const;
  // The same in the folder of a debuggable application, as its user; `command` is a shell's.
  Ran RunAs(const std::string& package, const std::string& command) const;
  // Bytes of a file of the application; the connection changes none of them.
  Ran ReadAs(const std::string& package, const std::string& file) const;
  Ran Push(const std::string& from, const std::string& to) const;
  Ran Logcat(const std::vector<std::string>& arguments) const;

  // Leads a port of this machine to a socket of the phone ("localabstract:NAME"): the port, 0 where
  // adb does not. The server of adb has it until RemoveForward, or until the phone goes.
  uint16_t Forward(const std::string& socket) const;
  void RemoveForward(uint16_t port) const;

  // Whether adb still reaches it.
  bool IsThere() const;

 private:
  Ran Run(std::vector<std::string> arguments, std::chrono::milliseconds timeout) const;

  std::string serial_;
};

}  // namespace stillframe::phone
