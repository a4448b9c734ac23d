// SPDX-License-Identifier: Apache-2.0
// stillframe doctor [-p PACKAGE]
#include "tools/stillframe/phone/doctor.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/phone/recording.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/phone_options.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

using phone::Examination;
using phone::Finding;

std::string InWords(const Finding& finding) {
  return index::CleanText(finding.remedy.empty() ? finding.what
                                                 : finding.what + ": " + finding.remedy);
}

// Where tools/android leaves them, beside the folder of this program.
std::string DefaultLibraries() {
  std::error_code ignored;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  return (self.parent_path().parent_path() / "android" / "lib").string();
}

int Run(const phone::Question& question) {
  const Examination examination = phone::Examine(question);
  for (const Finding& finding : examination.findings) {
    const char* const mark = finding.kind == Finding::Kind::kFine   ? "ok     "
                             : finding.kind == Finding::Kind::kNote ? "note   "
                                                                    : "problem";
    fmt::print("{} {}\n", mark, InWords(finding));
  }
  return examination.is_fine() ? kExitFine : kExitBadData;
}

}  // namespace

void AddSerialOption(CLI::App* verb, phone::Question* question) {
  verb->add_option("-s,--serial", question->serial,
                   "The phone, by its name in adb devices (default: the only one)")
      ->option_text("SERIAL");
}

CLI::Option* AddPackageOption(CLI::App* verb, phone::Question* question) {
  return verb->add_option("-p,--package", question->package, "The application's package")
      ->check([](const std::string& name) {
        return phone::IsPackageName(name) ? std::string()
                                          : "'" + name + "' is not a name of a package";
      })
      ->option_text("PACKAGE");
}

void AddLibrariesOption(CLI::App* verb, phone::Question* question) {
  question->libraries = DefaultLibraries();
  verb->add_option("--libraries", question->libraries,
                   "The folder with ABI/libstillframe.so, as ./tools/android leaves it (default: "
                   "android/lib beside the folder of this program)")
      ->option_text("DIR");
}

bool ComplainOfProblems(const Examination& examination) {
  for (const Finding& finding : examination.findings)
    if (finding.kind == Finding::Kind::kProblem) Complain("phone", InWords(finding));
  return examination.is_fine();
}

bool MakeFolder(const std::string& path) {
  std::error_code problem;
  std::filesystem::create_directories(path, problem);
  if (!problem) return true;
  Complain(path, problem.message());
  return false;
}

void AddDoctor(CLI::App* app, Action* action) {
  auto question = std::make_shared<phone::Question>();
  CLI::App* verb = app->add_subcommand("doctor", "Check that a phone is ready for recording");
  AddSerialOption(verb, question.get());
  AddPackageOption(verb, question.get());
  AddLibrariesOption(verb, question.get());
  verb->footer("Example:\n  stillframe doctor -p com.example.shop");
  verb->callback([question, action] { *action = [question] { return Run(*question); }; });
}

}  // namespace stillframe::verbs
