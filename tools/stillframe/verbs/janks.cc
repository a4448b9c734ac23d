// SPDX-License-Identifier: Apache-2.0
// stillframe janks PATH...: 'store add' into memory, then 'store rank'.
#include <memory>
#include <string>
#include <vector>

#include "tools/stillframe/render/cause_ranking.h"
#include "tools/stillframe/verbs/fleet_input.h"
#include "tools/stillframe/verbs/store_verbs.h"

namespace stillframe::verbs {
namespace {

struct JanksOptions {
  std::vector<std::string> inputs;
  DumpOptions dumps;
  QuestionOptions question;
  uint32_t rows = 20;
};

int RankFiles(const JanksOptions& options) {
  fleet::RankOptions rank;
  if (!ReadQuestion(options.question, &rank)) return kExitUsage;
  rank.rows = options.rows;
  std::vector<std::string> paths;
  FleetInput input(options.dumps);
  if (!FindFiles(options.inputs, MayBeRecord, "records (stillframe-jank-*.json)", &paths) ||
      !input.ReadMappings())
    return kExitBadData;
  std::string error;
  const std::unique_ptr<fleet::Store> store = fleet::Store::OpenInMemory(&error);
  if (!store) {
    Complain("memory", error);
    return kExitBadData;
  }
  fleet::Added added;
  fleet::CauseRanking ranking;
  const bool is_ranked = store->Add(input.Options(), [&](fleet::Ingestion* ingestion) {
    for (const std::string& path : paths)
      if (!input.AddPath(path, ingestion)) return false;
    added = ingestion->added();
    return true;
  }) && store->Rank(rank, &ranking);
  if (!is_ranked) return FailedIn("memory", *store);
  if (added.records + added.sessions + added.dumps == 0) return kExitBadData;
  if (!HasFacts(ranking)) return kExitUsage;
  const int exit_code = input.has_trouble() ? kExitBadData : kExitFine;
  return std::max<int>(
      exit_code, WriteOutput(options.question.output, options.question.as_json
                                                          ? render::CauseRankingJson(ranking)
                                                          : render::CauseRankingText(ranking)));
}

}  // namespace

void AddJanks(CLI::App* app, Action* action) {
  auto options = std::make_shared<JanksOptions>();
  CLI::App* verb =
      app->add_subcommand("janks", "Rank the causes of hangs in records, without a store");
  verb->add_option("PATH", options->inputs,
                   "Files, folders, archives (tar, zip), JSON lines; - is standard input")
      ->required();
  AddDumpOptions(verb, &options->dumps);
  AddAppOption(verb, &options->dumps);
  AddQuestionOptions(verb, &options->question);
  AddRowsOption(verb, &options->rows);
  verb->footer("Example:\n  stillframe janks records/ --by version --where model='Pixel 6'");
  SetAction(verb, action, options, RankFiles);
}

}  // namespace stillframe::verbs
