// SPDX-License-Identifier: Apache-2.0
// stillframe store query SQL --in STORE [--format csv|jsonl]
#include <memory>
#include <string>

#include "tools/stillframe/render/query_result.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/store_verbs.h"

namespace stillframe::verbs {
namespace {

struct QueryOptions {
  std::string store;
  std::string sql;
  std::string format = "csv";
  std::string output = "-";
};

int QueryStore(const QueryOptions& options) {
  const std::unique_ptr<fleet::Store> store =
      OpenStore(options.store, fleet::Access::kRead, {options.output});
  if (!store) return kExitBadData;
  using Form = render::QueryResult::Form;
  render::QueryResult result(options.format == "csv" ? Form::kCsv : Form::kJsonLines);
  const bool is_done = store->Query(
      options.sql, [&](std::span<const std::string> names) { result.SetColumns(names); },
      [&](std::span<const fleet::Cell> cells) {
        result.Add(cells);
        return true;
      });
  return is_done ? WriteOutput(options.output, result.text()) : FailedIn(options.store, *store);
}

}  // namespace

void AddStoreQuery(CLI::App* group, Action* action) {
  auto options = std::make_shared<QueryOptions>();
  CLI::App* verb =
      AddStoreVerb(group, "query", "Answer SQL over the store's tables", &options->store);
  verb->add_option("SQL", options->sql, "One statement that reads")->required();
  verb->add_option("--format", options->format, "csv (default) or jsonl")
      ->check(CLI::IsMember({"csv", "jsonl"}))
      ->option_text("NAME");
  verb->add_option("-o,--output", options->output, "The answer; - is standard output (default: -)");
  verb->footer(
      "Example:\n  stillframe store query 'SELECT model, sum(total_ms) FROM hangs GROUP BY model' "
      "--in fleet.db");
  SetAction(verb, action, options, QueryStore);
}

}  // namespace stillframe::verbs
