// SPDX-License-Identifier: Apache-2.0
// What a bench found, one row a figure, appended to the file that bench/run.py reads.
// Context: any thread, one at a time
#pragma once

#include <string>
#include <vector>

namespace bench {

// Median with the 10th and 90th percentile: the noise of the run.
struct Spread {
  double median = 0;
  double low = 0;
  double high = 0;
};

Spread SpreadOf(std::vector<double> values);

// The spread of a[i] / b[i]; both were measured in the same rounds.
Spread RatioOf(const std::vector<double>& a, const std::vector<double>& b);

// Appends to the file named by BENCH_ROWS.
void Report(const std::string& name, const Spread& spread, const char* unit);
void Report(const std::string& name, double value, const char* unit);

// How many rounds to run: BENCH_ROUNDS, or `usual` where it is not set.
int Rounds(int usual);

// One line on standard error and the end of the process: a bench that cannot measure what it says
// must not print a figure.
[[noreturn]] void Fail(const std::string& why);

}  // namespace bench
