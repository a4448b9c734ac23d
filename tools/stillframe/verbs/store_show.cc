// SPDX-License-Identifier: Apache-2.0
// stillframe store show CAUSE --in STORE
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include "tools/stillframe/fleet/hash.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/input/disk_files.h"
#include "tools/stillframe/render/cause_ranking.h"
#include "tools/stillframe/verbs/example_stacks.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/store_verbs.h"

namespace stillframe::verbs {
namespace {

namespace fs = std::filesystem;

struct ShowOptions {
  std::string store;
  std::string cause;
  QuestionOptions question;
  DumpOptions dumps;
  std::string collapsed;
  std::string picture;
  std::string examples;
};

int WriteExamples(const std::string& folder, const std::vector<fleet::Example>& examples) {
  std::error_code error;
  fs::create_directories(folder, error);
  int exit_code = kExitFine;
  for (const fleet::Example& example : examples) {
    // The name is a device's: its folders are not taken.
    std::string name = index::CleanText(fs::path(example.name).filename().string(), 150);
    if (name.empty() || name.starts_with('.')) name = fleet::ShortHash(example.id) + ".json";
    exit_code = std::max(exit_code, WriteOutput((fs::path(folder) / name).string(), example.bytes));
    if (exit_code != kExitFine) break;  // the others would fail alike
  }
  return exit_code;
}

int WritePicture(const ShowOptions& options, const fleet::ShownCause& shown,
                 const std::string& collapsed) {
  const fleet::CauseRow& row = shown.ranking.rows.front();
  const std::string picture =
      FlameOfStacks(collapsed, row.names.method.empty() ? row.names.message : row.names.method,
                    fmt::format("{} of {}", index::Counted(shown.examples.size(), "example"),
                                index::Counted(row.all.hangs, "hang")));
  if (!picture.empty()) return WriteOutput(options.picture, picture);
  Complain(fleet::Store::NameOf(options.store), "no example of this cause has stacks");
  return kExitBadData;
}

int ShowCause(const ShowOptions& options) {
  fleet::RankOptions rank;
  if (!ReadQuestion(options.question, &rank)) return kExitUsage;
  const std::unique_ptr<fleet::Store> store =
      OpenStore(options.store, fleet::Access::kRead,
                {options.question.output, options.collapsed, options.picture, options.examples});
  const input::DiskFiles files;
  TerminalListener listener;
  input::DocumentInput documents(files, &listener);
  if (!store || !documents.ReadMappings(options.dumps.mappings, nullptr)) return kExitBadData;
  fleet::ShownCause shown;
  if (!store->Show(options.cause, rank, &shown)) return FailedIn(options.store, *store);
  if (!HasFacts(shown.ranking)) return kExitUsage;
  const std::string collapsed = MergedStacks(shown.examples, documents);
  int exit_code = kExitFine;
  if (!options.collapsed.empty()) exit_code = WriteOutput(options.collapsed, collapsed);
  if (!options.picture.empty())
    exit_code = std::max(exit_code, WritePicture(options, shown, collapsed));
  if (!options.examples.empty())
    exit_code = std::max(exit_code, WriteExamples(options.examples, shown.examples));
  std::string text =
      options.question.as_json ? render::CauseRankingJson(shown.ranking) : render::CauseText(shown);
  if (!options.question.as_json) {
    text += SelfTimesText(collapsed, shown.examples.size());
    text += "\nexamples:\n";
    for (const fleet::Example& example : shown.examples) text += "  " + example.name + "\n";
  }
  return std::max(exit_code, WriteOutput(options.question.output, text));
}

}  // namespace

void AddStoreShow(CLI::App* group, Action* action) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* verb =
      AddStoreVerb(group, "show", "Show one cause, its parts and examples", &options->store);
  verb->add_option("CAUSE", options->cause, "Its id, as 'rank' shows it")->required();
  AddQuestionOptions(verb, &options->question);
  verb->add_option("--collapsed", options->collapsed, "Write the examples' stacks, merged");
  verb->add_option("--svg", options->picture, "Draw the examples' flame graph, merged");
  verb->add_option("--examples", options->examples, "Write at most 20 examples into this folder")
      ->option_text("DIR");
  AddDumpOptions(verb, &options->dumps);
  verb->footer("Example:\n  stillframe store show 445e5c05a8d4 --in fleet.db");
  SetAction(verb, action, options, ShowCause);
}

}  // namespace stillframe::verbs
