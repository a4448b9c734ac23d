// SPDX-License-Identifier: Apache-2.0
// stillframe record -p PACKAGE [--for 30s | --until-anr] [-o DIR]
#include <fmt/format.h>
#include <signal.h>

#include <atomic>
#include <charconv>
#include <memory>
#include <string>

#include "tools/stillframe/phone/recording.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/phone_options.h"
#include "tools/stillframe/verbs/progress.h"
#include "tools/stillframe/verbs/report.h"
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

// Ctrl-C ends the wait; what was begun is still fetched and cleaned up.
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
  const std::string page = options.plan.output + "/report.html";
  const int exit_code = WriteReportOf(options.dumps, files, page);
  if (exit_code != kExitFine) return exit_code;
  fmt::print("{}\n", page);
  if (options.opens_report &&
      !phone::RunProgram({"xdg-open", page}, phone::kCommandTimeout).is_fine()) {
    Complain(page, "xdg-open does not show it");
    return kExitBadData;
  }
  return kExitFine;
}

// What the steps have left is cleaned up, whichever of them failed.
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
  phone::Recording recording(
      examination.patient, options.plan,
      [&progress](const std::string& line) {
        progress.Clear();
        Complain("phone", line);
      },
      [&progress](uint64_t) { progress.Step(); }, &g_stop);
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
  CLI::App* verb = app->add_subcommand(
      "record", "Record a debuggable application on a phone, and write the report");
  AddSerialOption(verb, &options->question);
  AddPackageOption(verb, &options->question)->required();
  AddLibrariesOption(verb, &options->question);
  CLI::Option* length = verb->add_option_function<std::string>(
                                "--for",
                                [options](const std::string& text) {
                                  if (!ReadLength(text, &options->plan.length))
                                    throw CLI::ValidationError(
                                        "--for", "'" + text + "' is no time such as 30s or 5m");
                                },
                                "How long, then a dump is taken; 30s if not given")
                            ->option_text("TIME");
  verb->add_flag("--until-anr", options->until_anr,
                 "Until the profiler writes a dump: at an ANR, or a message of long_ms")
      ->excludes(length);
  verb->add_flag("--wrap", options->plan.by_wrap,
                 "Start it anew with the library preloaded, instead of attaching to it");
  verb->add_option("--set", options->plan.settings, "Settings of the profiler: slow_ms=20,trees=5")
      ->check([](const std::string& text) {
        return phone::AreSettings(text) ? std::string() : "'" + text + "' is not NAME=VALUE,...";
      })
      ->option_text("NAME=VALUE,...");
  verb->add_flag("--open", options->opens_report, "Show the report in the browser (xdg-open)");
  verb->add_option("-o,--output", options->plan.output,
                   "The folder for dumps and report; stillframe-record if not given")
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
