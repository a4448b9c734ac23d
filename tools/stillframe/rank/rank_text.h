// SPDX-License-Identifier: Apache-2.0
// Rankings and their differences as tables for a terminal and as JSON.
#pragma once

#include <string>

#include "tools/stillframe/rank/ranking.h"

namespace stillframe::rank {

struct TextOptions {
  size_t rows = 20;
  bool by_total = false;
  size_t width = 100;  // columns; 0: names are whole
};

// The methods and the stacks that cost the most.
std::string TopText(const Ranking& ranking, const TextOptions& options);

// The methods whose share of the sampled time changed the most, with what they took of a sampled
// message on the average: the two sides hardly have the same number of dumps.
std::string DiffText(const Ranking& before, const Ranking& after, const TextOptions& options);

// Collapsed stacks with two numbers, microseconds before and after, as difffolded.pl writes them.
std::string DiffFolded(const Ranking& before, const Ranking& after);

}  // namespace stillframe::rank
