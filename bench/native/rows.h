// SPDX-License-Identifier: Apache-2.0
// A bench's results, one row a figure, appended to the file that bench/run.py reads.
// Context: any thread, one at a time
#pragma once

#include <string>
#include <vector>

namespace bench {

// Median with the 10th and 90th percentile, which show the run's noise.
struct Spread {
  double median = 0;
  double low = 0;
  double high = 0;
};

Spread SpreadOf(std::vector<double> values);

// Spread of a[i] / b[i], measured in the same rounds.
Spread RatioOf(const std::vector<double>& a, const std::vector<double>& b);

// Appends to the file named by BENCH_ROWS.
void Report(const std::string& name, const Spread& spread, const char* unit);
void Report(const std::string& name, double value, const char* unit);

// Number of rounds: BENCH_ROUNDS, or `usual` if unset.
int Rounds(int usual);

// Prints one line on standard error and ends the process. A bench whose measurement fails must not
// print a figure.
[[noreturn]] void Fail(const std::string& why);

}  // namespace bench
