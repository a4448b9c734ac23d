// SPDX-License-Identifier: Apache-2.0
// Shared by top and diff.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "tools/stillframe/render/method_ranking.h"

namespace stillframe::verbs {

struct RankingOptions {
  uint32_t rows = 20;
  bool as_json = false;
  std::string by = "self";
};

void AddRankingOptions(CLI::App* verb, RankingOptions* options);

// Sets the terminal's width. Names are not shortened if standard output is not a terminal.
render::TextOptions TextOf(const RankingOptions& options);

}  // namespace stillframe::verbs
