// SPDX-License-Identifier: Apache-2.0
// Runs a program to its end, or to a line it prints, and keeps what it wrote.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace stillframe::testbed {

struct Finished {
  int exit_code = -1;  // -1 if a signal ended it.
  std::string out;
  std::string err;
};

class Program {
 public:
  // Starts `command` in `folder`, or in the current one if that is empty.
  explicit Program(const std::vector<std::string>& command, const std::string& folder = "");
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t pid() const { return pid_; }

  // Reads until the text appears on stdout or stderr; false if it does not within `seconds`.
  bool WaitForOutput(const std::string& text, int seconds);

  // Waits for the end; kills the program after `seconds`.
  Finished Finish(int seconds = 60);

 private:
  // Reads what is there; false when both streams have ended.
  bool ReadSome(int timeout_ms);

  pid_t pid_ = -1;
  int out_ = -1;
  int err_ = -1;
  Finished finished_;
};

}  // namespace stillframe::testbed
