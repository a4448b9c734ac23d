// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

namespace stillframe::testbed {
namespace {

using Clock = std::chrono::steady_clock;

// Appends what can be read; closes the stream at its end.
void Drain(int* stream, std::string* text) {
  char buffer[4096];
  const ssize_t count = read(*stream, buffer, sizeof(buffer));
  if (count > 0) {
    text->append(buffer, static_cast<size_t>(count));
  } else {
    close(*stream);
    *stream = -1;
  }
}

}  // namespace

Program::Program(const std::vector<std::string>& command, const std::string& folder) {
  std::vector<char*> arguments;
  for (const std::string& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  int out[2];
  int err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) return;
  pid_ = fork();
  if (pid_ == 0) {
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    if (folder.empty() || chdir(folder.c_str()) == 0) execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(out[1]);
  close(err[1]);
  out_ = out[0];
  err_ = err[0];
}

Program::~Program() {
  if (pid_ > 0) Finish(0);
}

bool Program::ReadSome(int timeout_ms) {
  pollfd streams[] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};
  if (poll(streams, 2, timeout_ms) > 0) {
    if (streams[0].revents != 0) Drain(&out_, &finished_.out);
    if (streams[1].revents != 0) Drain(&err_, &finished_.err);
  }
  return out_ >= 0 || err_ >= 0;
}

bool Program::WaitForOutput(const std::string& text, int seconds) {
  const Clock::time_point end = Clock::now() + std::chrono::seconds(seconds);
  bool running = true;
  while (finished_.out.find(text) == std::string::npos &&
         finished_.err.find(text) == std::string::npos) {
    if (!running || Clock::now() > end) return false;
    running = ReadSome(100);
  }
  return true;
}

Finished Program::Finish(int seconds) {
  const Clock::time_point end = Clock::now() + std::chrono::seconds(seconds);
  while (Clock::now() < end && ReadSome(100)) continue;
  if (out_ >= 0 || err_ >= 0) {
    kill(pid_, SIGKILL);
    while (ReadSome(100)) continue;
  }
  int status = 0;
  if (waitpid(pid_, &status, 0) == pid_ && WIFEXITED(status))
    finished_.exit_code = WEXITSTATUS(status);
  pid_ = -1;
  return finished_;
}

}  // namespace stillframe::testbed
