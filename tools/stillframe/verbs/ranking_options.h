// SPDX-License-Identifier: Apache-2.0
// What top and diff have in common.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "tools/stillframe/compare/ranking.h"

namespace stillframe::verbs {

struct RankingOptions {
  uint32_t rows = 20;
  bool as_json = false;
  std::string by = "self";
};

void AddRankingOptions(CLI::App* verb, RankingOptions* options);

// As wide as the terminal; names are whole where standard output is none.
compare::TextOptions TextOf(const RankingOptions& options);

}  // namespace stillframe::verbs
