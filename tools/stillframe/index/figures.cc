// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/index/figures.h"

#include <fmt/format.h>

#include <string>

namespace stillframe::index {

std::string Grouped(uint64_t value) {
  std::string digits = std::to_string(value);
  for (size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string Counted(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", Grouped(count), noun, count == 1 ? "" : "s");
}

std::string Milliseconds(int64_t ns) {
  const uint64_t size = ns < 0 ? 0 - static_cast<uint64_t>(ns) : static_cast<uint64_t>(ns);
  const char* sign = ns < 0 ? "-" : "";
  if (size == 0) return "0";
  if (size < 9'950'000) return fmt::format("{}{:.1f}", sign, static_cast<double>(size) / 1e6);
  return sign + Grouped(size / 1'000'000 + (size % 1'000'000 >= 500'000 ? 1 : 0));
}

std::string Duration(int64_t ns) { return ns < 0 ? "?" : Milliseconds(ns) + " ms"; }

std::string DurationUs(uint64_t us) {
  constexpr uint64_t kLongest = INT64_MAX / 1000;
  return Duration(static_cast<int64_t>(us < kLongest ? us : kLongest) * 1000);
}

std::string Seconds(uint64_t ns) {
  const double seconds = static_cast<double>(ns) / 1e9;
  return ns < 999'500'000  ? Duration(static_cast<int64_t>(ns))
         : seconds < 99.95 ? fmt::format("{:.1f} s", seconds)
         : seconds < 599.5 ? fmt::format("{:.0f} s", seconds)
                           : fmt::format("{:.1f} min", seconds / 60);
}

std::string Share(uint64_t part, uint64_t whole) {
  if (whole == 0 || part == 0) return "0%";
  const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  return percent < 0.5 ? "< 1%" : fmt::format("{:.0f}%", percent);
}

}  // namespace stillframe::index
