// SPDX-License-Identifier: Apache-2.0
// stillframe store rank --in STORE
#include <fmt/format.h>

#include <memory>
#include <string>

#include "tools/stillframe/render/cause_ranking.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/store_verbs.h"

namespace stillframe::verbs {
namespace {

struct RankVerbOptions {
  std::string store;
  QuestionOptions question;
  uint32_t rows = 20;
};

// Equal for equal questions. The number changes with the form of answers.
std::string QuestionText(const RankVerbOptions& options) {
  std::string text = fmt::format("rank 3 {} {}", options.rows, options.question.as_json);
  for (const std::vector<std::string>* texts :
       {&options.question.by, &options.question.where, &options.question.percents}) {
    text += "\n";
    for (const std::string& each : *texts) text += fmt::format("{}:{} ", each.size(), each);
  }
  return text;
}

int RankStore(const RankVerbOptions& options) {
  fleet::RankOptions rank;
  if (!ReadQuestion(options.question, &rank)) return kExitUsage;
  rank.rows = options.rows;
  const std::unique_ptr<fleet::Store> store =
      OpenStore(options.store, fleet::Access::kRead, {options.question.output});
  if (!store) return kExitBadData;
  fleet::CauseRanking ranking;
  std::string answer;
  if (!store->Answer(rank, QuestionText(options),
                     options.question.as_json ? render::CauseRankingJson : render::CauseRankingText,
                     &ranking, &answer))
    return FailedIn(options.store, *store);
  if (!HasFacts(ranking)) return kExitUsage;
  return WriteOutput(options.question.output, answer);
}

}  // namespace

void AddStoreRank(CLI::App* group, Action* action) {
  auto options = std::make_shared<RankVerbOptions>();
  CLI::App* verb = AddStoreVerb(
      group, "rank", "List the causes of hangs by the time that users lost", &options->store);
  AddQuestionOptions(verb, &options->question);
  AddRowsOption(verb, &options->rows);
  verb->footer("Example:\n  stillframe store rank --in fleet.db --by version,model");
  SetAction(verb, action, options, RankStore);
}

}  // namespace stillframe::verbs
