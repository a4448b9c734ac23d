// SPDX-License-Identifier: Apache-2.0
// Rankings of methods and their differences, as tables for a terminal and as JSON.
#pragma once

#include <string>

#include "tools/stillframe/fleet/method_ranking.h"

namespace stillframe::render {

using fleet::MethodRanking;

// Rankings and their differences as tables for a terminal, and as JSON: render/tables.schema.json.
struct TextOptions {
  size_t rows = 20;
  bool by_total = false;
  size_t width = 100;  // columns; 0: names are not shortened
};

// The costliest methods and stacks.
std::string TopText(const MethodRanking& ranking, const TextOptions& options);

// The methods whose share of the sampled time changed most, with their mean time per sampled
// message, because the two sides seldom have equally many dumps.
std::string DiffText(const MethodRanking& before, const MethodRanking& after,
                     const TextOptions& options);

std::string TopJson(const MethodRanking& ranking, const TextOptions& options);
std::string DiffJson(const MethodRanking& before, const MethodRanking& after,
                     const TextOptions& options);

// Collapsed stacks with two numbers, microseconds before and after, as difffolded.pl writes them.
std::string DiffFolded(const MethodRanking& before, const MethodRanking& after);

}  // namespace stillframe::render
