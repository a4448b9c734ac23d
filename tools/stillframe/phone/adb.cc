// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/phone/adb.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <utility>

namespace stillframe::phone {
namespace {

using Clock = std::chrono::steady_clock;

// The read end of a pipe, and the text read from it.
struct Stream {
  int fd = -1;
  std::string* text = nullptr;

  // False at the end.
  bool Read() {
    std::array<char, 65536> part;
    const ssize_t got = read(fd, part.data(), part.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return true;
    if (got <= 0) return false;
    const size_t room = kMaxOutput - std::min(kMaxOutput, text->size());
    text->append(part.data(), std::min(static_cast<size_t>(got), room));
    return true;
  }
};

int ExitCodeOf(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Reads both until they end or the time is over. True if both have ended.
bool ReadAll(std::array<Stream, 2> streams, Clock::time_point end) {
  size_t open = streams.size();
  while (open > 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return false;
    std::array<pollfd, 2> ready = {{{streams[0].fd, POLLIN, 0}, {streams[1].fd, POLLIN, 0}}};
    if (poll(ready.data(), ready.size(), static_cast<int>(left)) <= 0) continue;
    for (size_t i = 0; i < streams.size(); ++i) {
      if (ready[i].revents == 0 || streams[i].Read()) continue;
      streams[i].fd = -1;  // poll ignores negative descriptors
      --open;
    }
  }
  return true;
}

pid_t Spawn(const std::vector<std::string>& command, int out, int error) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, error, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t pid = -1;
  const int problem =
      posix_spawnp(&pid, arguments.front(), &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return problem == 0 ? pid : -1;
}

}  // namespace

std::string Ran::complaint() const {
  for (const std::string* text : {&error, &out}) {
    const std::vector<std::string> lines = Lines(*text);
    if (!lines.empty()) return lines.back();
  }
  return "exit code " + std::to_string(exit_code);
}

Ran RunProgram(const std::vector<std::string>& command, std::chrono::milliseconds timeout) {
  Ran ran;
  int out[2] = {-1, -1};
  int error[2] = {-1, -1};
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(error, O_CLOEXEC) != 0) return ran;
  const Clock::time_point end = Clock::now() + timeout;
  const pid_t pid = Spawn(command, out[1], error[1]);
  close(out[1]);
  close(error[1]);
  if (pid > 0) {
    const bool has_ended = ReadAll({Stream{out[0], &ran.out}, Stream{error[0], &ran.error}}, end);
    if (!has_ended) kill(-pid, SIGKILL);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    ran.exit_code = has_ended ? ExitCodeOf(status) : kTimedOut;
  }
  close(out[0]);
  close(error[0]);
  return ran;
}

std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    while (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::move(line));
    at = end + 1;
  }
  return lines;
}

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
