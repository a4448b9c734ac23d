// SPDX-License-Identifier: Apache-2.0
// stillframe record -p PACKAGE [--for 30s | --until-anr] [-o DIR]
#include <fmt/format.h>
#include <signal.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>

#include "tools/stillframe/phone/live_source.h"
#include "tools/stillframe/phone/live_view.h"
#include "tools/stillframe/phone/recording.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/phone_options.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct RecordOptions {
  phone::Question question;
  phone::RecordingPlan plan;
  DumpOptions dumps;
  bool until_anr = false;
  bool opens_report = false;
};

constexpr std::chrono::seconds kDefaultLength(30);

// Ctrl-C ends the wait. Dumps are still fetched and the phone is cleaned up.
std::atomic<bool> g_stop = false;

void StopAtInterrupt() {
  struct sigaction action = {};
  action.sa_handler = [](int) { g_stop.store(true); };
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;  // a second one ends the program
  sigaction(SIGINT, &action, nullptr);
}

// "30s", "5m", "30".
bool ReadLength(const std::string& text, std::chrono::seconds* length) {
  uint32_t number = 0;
  const char* const end = text.data() + text.size();
  const std::from_chars_result read = std::from_chars(text.data(), end, number);
  const std::string unit(read.ptr, end);
  if (read.ec != std::errc() || number == 0 || number > 86'400) return false;
  if (unit != "" && unit != "s" && unit != "m") return false;
  *length = std::chrono::seconds(uint64_t{number} * (unit == "m" ? 60 : 1));
  return true;
}

int WriteReport(const RecordOptions& options, const std::vector<std::string>& files) {
  Page page;
  page.path = options.plan.output + "/report.html";
  page.is_printed = true;
  page.opens = options.opens_report;
  return WriteReportOf(options.dumps, files, page);
}

// Prints the recorded process's slow messages on standard error.
class LiveLines {
 public:
  explicit LiveLines(Progress* progress) : progress_(*progress) {}

  void Watch(uint16_t port) {
    std::string problem;
    is_watching_ = source_.ConnectTo(port, &problem);
  }

  void Follow(std::chrono::steady_clock::time_point end) {
    while (is_watching_) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          end - std::chrono::steady_clock::now());
      if (left.count() <= 0) return;
      live::LiveEvent event;
      const LiveSource::Result result = source_.Next(static_cast<int>(left.count()), &event);
      if (result == LiveSource::Result::kEvent) Show(event);
      is_watching_ =
          result == LiveSource::Result::kEvent || result == LiveSource::Result::kNothingYet;
      if (!is_watching_ && !has_begun_) {
        progress_.Clear();
        Complain("live", "the process does not send its messages");
      }
    }
    std::this_thread::sleep_until(end);
  }

 private:
  using LiveSource = live::LiveSource;

  void Show(const live::LiveEvent& event) {
    has_begun_ = true;
    view_.Add(event);
    const std::string lines = view_.SlowLines(event);
    if (lines.empty()) return;
    progress_.Clear();
    std::fputs(lines.c_str(), stderr);
  }

  Progress& progress_;
  LiveSource source_;
  live::LiveView view_;
  bool is_watching_ = false;
  bool has_begun_ = false;
};

// Cleans up whichever step fails.
bool Record(phone::Recording* recording, const std::string& subject) {
  std::string problem;
  const auto is_done = [&](bool is_fine) {
    if (!is_fine && problem.empty()) problem = recording->problem();
    return is_fine;
  };
  if (!is_done(recording->CleanUpBefore())) {
    Complain(subject, problem);
    return false;
  }
  const bool is_recorded =
      is_done(recording->Begin()) && is_done(recording->Wait()) && is_done(recording->Fetch());
  const bool is_clean = is_done(recording->CleanUp());
  if (!problem.empty()) Complain(subject, problem);
  return is_recorded && is_clean;
}

int Run(const RecordOptions& options) {
  const phone::Examination examination = phone::Examine(options.question);
  if (!ComplainOfProblems(examination) || !MakeFolder(options.plan.output)) return kExitBadData;
  StopAtInterrupt();
  const auto length = static_cast<uint64_t>(options.plan.length.count());
  Progress progress(length == 0 ? "waiting for a dump, seconds" : "recording, seconds", length);
  LiveLines lines(&progress);
  phone::Listeners listeners;
  listeners.say = [&progress](const std::string& line) {
    progress.Clear();
    Complain("phone", line);
  };
  listeners.tick = [&progress](uint64_t) { progress.Step(); };
  listeners.watch = [&lines](uint16_t port) { lines.Watch(port); };
  listeners.follow = [&lines](auto end) { lines.Follow(end); };
  phone::Recording recording(examination.patient, options.plan, listeners, &g_stop);
  const bool is_fine = Record(&recording, options.question.package);
  progress.Clear();
  const int exit_code =
      recording.files().empty() ? kExitFine : WriteReport(options, recording.files());
  return is_fine ? exit_code : kExitBadData;
}

}  // namespace

void AddRecord(CLI::App* app, Action* action) {
  auto options = std::make_shared<RecordOptions>();
  options->plan.length = kDefaultLength;
  options->plan.output = "stillframe-record";
  CLI::App* verb =
      app->add_subcommand("record", "Record a debuggable application on a phone, to a report");
  AddSerialOption(verb, &options->question);
  AddPackageOption(verb, &options->question)->required();
  AddLibrariesOption(verb, &options->question);
  CLI::Option* length =
      verb->add_option_function<std::string>(
              "--for",
              [options](const std::string& text) {
                if (!ReadLength(text, &options->plan.length))
                  throw CLI::ValidationError("--for", "'" + text + "' is not a duration (30s, 5m)");
              },
              "How long to record before a dump is taken (default: 30s)")
          ->option_text("TIME");
  verb->add_flag("--until-anr", options->until_anr,
                 "Record until the profiler writes a dump, at an ANR or a message of long_ms; not "
                 "with --for")
      ->excludes(length);
  verb->add_flag(
      "--wrap", options->plan.by_wrap,
      "Start the application anew with the library preloaded, instead of attaching to it");
  verb->add_option("--set", options->plan.settings, "Settings of the profiler: slow_ms=20,trees=5")
      ->check([](const std::string& text) {
        return phone::AreSettings(text) ? std::string() : "'" + text + "' is not NAME=VALUE,...";
      })
      ->option_text("NAME=VALUE,...");
  verb->add_flag("--open", options->opens_report, "Show the report in the browser (xdg-open)");
  verb->add_option("-o,--output", options->plan.output,
                   "The folder for dumps and report (default: stillframe-record)")
      ->option_text("DIR");
  AddDumpOptions(verb, &options->dumps);
  AddAppOption(verb, &options->dumps);
  verb->footer("Example:\n  stillframe record -p com.example.shop --for 30s -o shop");
  verb->callback([options, action] {
    if (options->until_anr) options->plan.length = std::chrono::seconds(0);
    *action = [options] { return Run(*options); };
  });
}

}  // namespace stillframe::verbs
