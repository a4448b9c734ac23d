// SPDX-License-Identifier: Apache-2.0
// Percentiles, and the file of rows.
#include "bench/native/rows.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace bench {

Spread SpreadOf(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto at = [&values](size_t percent) { return values[(values.size() - 1) * percent / 100]; };
  return {at(50), at(10), at(90)};
}

Spread RatioOf(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> ratios;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (b[i] > 0) ratios.push_back(a[i] / b[i]);
  return SpreadOf(std::move(ratios));
}

void Report(const std::string& name, const Spread& spread, const char* unit) {
  const char* path = getenv("BENCH_ROWS");
  FILE* file = path != nullptr ? fopen(path, "a") : stdout;
  if (file == nullptr) Fail(std::string("cannot write ") + path);
  fprintf(file, "%s\t%.6g\t%.6g\t%.6g\t%s\n", name.c_str(), spread.median, spread.low, spread.high,
          unit);
  if (file == stdout)
    fflush(file);
  else
    fclose(file);
}

void Report(const std::string& name, double value, const char* unit) {
  Report(name, Spread{value, value, value}, unit);
}

int Rounds(int usual) {
  const char* rounds = getenv("BENCH_ROUNDS");
  return rounds != nullptr ? std::max(1, atoi(rounds)) : usual;
}

void Fail(const std::string& why) {
  fprintf(stderr, "bench: %s\n", why.c_str());
  _exit(3);
}

}  // namespace bench
