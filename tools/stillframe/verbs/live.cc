// SPDX-License-Identifier: Apache-2.0
// stillframe live [--pid N]
#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "tools/stillframe/phone/live_source.h"
#include "tools/stillframe/phone/live_view.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

using Clock = std::chrono::steady_clock;
using live::LiveSource;

constexpr std::chrono::milliseconds kRefresh(200);

struct LiveOptions {
  uint32_t pid = 0;
  uint16_t port = 0;
};

// Draws over the previous picture, clearing line ends and all lines below.
void Draw(const live::LiveView& view) {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) {
    size.ws_row = 24;
    size.ws_col = 100;
  }
  std::string screen = "\x1b[H";
  for (const char c : view.Table(size.ws_row, size.ws_col))
    screen += c == '\n' ? "\x1b[K\n" : std::string(1, c);
  std::fputs((screen + "\x1b[J").c_str(), stdout);
  std::fflush(stdout);
}

// Watches until the process ends.
int Watch(const std::string& subject, LiveSource* source) {
  const bool is_terminal = isatty(STDOUT_FILENO) == 1;
  live::LiveView view;
  bool has_begun = false;
  Clock::time_point drawn;
  for (;;) {
    live::LiveEvent event;
    switch (source->Next(static_cast<int>(kRefresh.count()), &event)) {
      case LiveSource::Result::kEvent:
        has_begun = true;
        view.Add(event);
        if (!is_terminal) {
          std::fputs(view.Lines(event).c_str(), stdout);
          std::fflush(stdout);
        }
        break;
      case LiveSource::Result::kNothingYet: break;
      case LiveSource::Result::kEnded:
        if (!has_begun) {
          Complain(subject,
                   "closed the connection; it takes one watcher at a time, of its own user, and of "
                   "adb's shell where it is debuggable");
          return kExitBadData;
        }
        if (is_terminal) Draw(view);
        return kExitFine;
      case LiveSource::Result::kBroken:
        Complain(subject,
                 "tells something else than this version knows; use the stillframe of its library");
        return kExitBadData;
    }
    if (is_terminal && Clock::now() - drawn >= kRefresh) {
      drawn = Clock::now();
      Draw(view);
    }
  }
}

int Run(const LiveOptions& options) {
  LiveSource source;
  std::string error;
  if (options.port != 0) {
    const std::string port = fmt::format("port {}", options.port);
    if (source.ConnectTo(options.port, &error)) return Watch(port, &source);
    Complain(port, error);
    return kExitBadData;
  }
  uint32_t pid = options.pid;
  if (pid == 0) {
    const std::vector<uint32_t> pids = live::WatchableProcesses();
    if (pids.empty()) {
      Complain("live", "no process can be watched; start one with STILLFRAME_LIVE=1");
      return kExitBadData;
    }
    pid = pids.front();
  }
  const std::string subject = fmt::format("process {}", pid);
  if (kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) {
    Complain("live", fmt::format("no such process: {}", pid));
    return kExitBadData;
  }
  if (!source.Connect(pid, &error)) {
    Complain(subject, error);
    return kExitBadData;
  }
  return Watch(subject, &source);
}

}  // namespace

void AddLive(CLI::App* app, Action* action) {
  auto options = std::make_shared<LiveOptions>();
  CLI::App* verb =
      app->add_subcommand("live", "Show the messages of a running process as they happen");
  CLI::Option* pid = verb->add_option("--pid", options->pid,
                                      "The process, which was started with STILLFRAME_LIVE=1 "
                                      "(default: the newest such one)")
                         ->check(CLI::Range(1U, 4'194'304U))
                         ->option_text("N");
  verb->add_option(
          "--port", options->port,
          "A process of a phone, to whose socket adb forward leads this port; not with --pid")
      ->check(CLI::Range(1, 65'535))
      ->option_text("N")
      ->excludes(pid);
  verb->footer("Example:\n  stillframe live --pid 4711");
  verb->callback([options, action] { *action = [options] { return Run(*options); }; });
}

}  // namespace stillframe::verbs
