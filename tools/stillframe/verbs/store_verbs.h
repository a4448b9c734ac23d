// SPDX-License-Identifier: Apache-2.0
// Shared by the sub-verbs of 'store' and by 'janks': options, opening, and questions.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "tools/stillframe/fleet/store.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {

// A sub-verb that asks a store: the address is its first option.
CLI::App* AddStoreVerb(CLI::App* group, const char* name, const char* what, std::string* store);

// Sets the action to run(options).
template <typename Options>
void SetAction(CLI::App* verb, Action* action, std::shared_ptr<Options> options,
               int (*run)(const Options&)) {
  verb->callback([options, action, run] { *action = [options, run] { return run(*options); }; });
}

void AddStoreAdd(CLI::App* group, Action* action);
void AddStoreRank(CLI::App* group, Action* action);
void AddStoreShow(CLI::App* group, Action* action);
void AddStoreCheck(CLI::App* group, Action* action);
void AddStoreCompact(CLI::App* group, Action* action);
void AddStoreForget(CLI::App* group, Action* action);
void AddStoreMerge(CLI::App* group, Action* action);
void AddStoreSplit(CLI::App* group, Action* action);
void AddStoreQuery(CLI::App* group, Action* action);

// Complains and returns null if it cannot be opened, or is one of `outputs`.
std::unique_ptr<fleet::Store> OpenStore(const std::string& address, fleet::Access access,
                                        std::initializer_list<std::string> outputs = {});

// Complains of a store's error.
int FailedIn(const std::string& address, const fleet::Store& store);

// Options that 'rank', 'show' and 'janks' have in common.
struct QuestionOptions {
  std::vector<std::string> by;
  std::vector<std::string> where;
  std::vector<std::string> percents;
  bool as_json = false;
  std::string output = "-";
};

void AddQuestionOptions(CLI::App* verb, QuestionOptions* options);
void AddRowsOption(CLI::App* verb, uint32_t* rows);

// Complains and returns false if an option has another form.
bool ReadQuestion(const QuestionOptions& options, fleet::RankOptions* rank);

// Complains and returns false if no record has a fact that was asked for.
bool HasFacts(const fleet::CauseRanking& ranking);

}  // namespace stillframe::verbs
