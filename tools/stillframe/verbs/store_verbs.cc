// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/verbs/store_verbs.h"

#include <charconv>
#include <filesystem>

#include "tools/stillframe/verbs/output.h"

namespace stillframe::verbs {
namespace {

bool ReadCondition(const std::string& text, const char* option, fleet::Condition* condition) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos) {
    Complain(option, "expected NAME=VALUE, got '" + text + "'");
    return false;
  }
  *condition = {.name = text.substr(0, equals), .value = text.substr(equals + 1)};
  return true;
}

bool ReadPercent(const std::string& text, fleet::Participation* part) {
  const size_t colon = text.rfind(':');
  const std::string number = colon == std::string::npos ? text : text.substr(colon + 1);
  const char* end = number.data() + number.size();
  const auto [rest, code] = std::from_chars(number.data(), end, part->percent);
  if (code != std::errc() || rest != end || !(part->percent > 0) || part->percent > 100) {
    Complain("--percent", "expected a percentage above 0, at most 100, got '" + number + "'");
    return false;
  }
  return colon == std::string::npos ||
         ReadCondition(text.substr(0, colon), "--percent", &part->of.emplace());
}

}  // namespace

CLI::App* AddStoreVerb(CLI::App* group, const char* name, const char* what, std::string* store) {
  CLI::App* verb = group->add_subcommand(name, what);
  verb->add_option("--to,--in", *store,
                   "The store: a file, or clickhouse://[USER:PASSWORD@]HOST:PORT/DATABASE")
      ->required()
      ->option_text("STORE");
  return verb;
}

std::unique_ptr<fleet::Store> OpenStore(const std::string& address, fleet::Access access,
                                        std::initializer_list<std::string> outputs) {
  for (const std::string& output : outputs) {
    std::error_code ignored;
    if (output.empty() || output == "-" || !std::filesystem::equivalent(output, address, ignored))
      continue;
    Complain(output, "is the store itself; name another output");
    return nullptr;
  }
  std::string error;
  std::unique_ptr<fleet::Store> store = fleet::Store::Open(address, access, &error);
  if (!store) Complain(fleet::Store::NameOf(address), error);
  return store;
}

int FailedIn(const std::string& address, const fleet::Store& store) {
  Complain(fleet::Store::NameOf(address), store.error());
  return kExitBadData;
}

void AddQuestionOptions(CLI::App* verb, QuestionOptions* options) {
  verb->add_option("--by", options->by,
                   "Divide each row by these facts: version, api, model, memory, process, scene, "
                   "package, or another name in the records")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->take_all()
      ->option_text("NAME[,NAME]");
  verb->add_option("--where", options->where,
                   "Count only records and sessions with this fact; may be repeated")
      ->allow_extra_args(false)
      ->take_all()
      ->option_text("NAME=VALUE");
  verb->add_option("--percent", options->percents,
                   "The percentage of installs that take part, of all or of those with a fact; "
                   "may be repeated")
      ->allow_extra_args(false)
      ->take_all()
      ->option_text("[NAME=VALUE:]P");
  verb->add_flag("--json", options->as_json, "Write JSON instead of a table");
  verb->add_option("-o,--output", options->output, "The table; - is standard output (default: -)");
}

void AddRowsOption(CLI::App* verb, uint32_t* rows) {
  verb->add_option("--rows", *rows, "How many causes to list (default: 20)")
      ->check(CLI::Range(1U, 1'000'000U))
      ->option_text("N");
}

bool ReadQuestion(const QuestionOptions& options, fleet::RankOptions* rank) {
  rank->by = options.by;
  for (const std::string& text : options.where)
    if (!ReadCondition(text, "--where", &rank->where.emplace_back())) return false;
  // Those with a condition first.
  for (const bool has_condition : {true, false})
    for (const std::string& text : options.percents)
      if ((text.find(':') != std::string::npos) == has_condition &&
          !ReadPercent(text, &rank->participations.emplace_back()))
        return false;
  return true;
}

bool HasFacts(const fleet::CauseRanking& ranking) {
  for (const std::string& name : ranking.missing_facts)
    Complain(name,
             "no record has this fact; name version, version_code, api, model, memory, process, "
             "scene, package or an annotation");
  return ranking.missing_facts.empty();
}

void AddStore(CLI::App* app, Action* action) {
  CLI::App* verb =
      app->add_subcommand("store", "Keep the records of a fleet, and rank what they cost users");
  verb->require_subcommand(1);
  for (const auto add : {AddStoreAdd, AddStoreRank, AddStoreShow, AddStoreCheck, AddStoreCompact,
                         AddStoreForget, AddStoreMerge, AddStoreSplit, AddStoreQuery})
    add(verb, action);
  verb->footer(
      "Example:\n  stillframe store add records/ --to fleet.db\n"
      "  stillframe store rank --in fleet.db --by version");
}

}  // namespace stillframe::verbs
