// SPDX-License-Identifier: Apache-2.0
// Runs a program and reads what it says.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace stillframe::phone {

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

}  // namespace stillframe::phone
