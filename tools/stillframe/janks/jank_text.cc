// SPDX-License-Identifier: Apache-2.0
// One row for equal janks.
#include "tools/stillframe/janks/jank_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tools/stillframe/calltree/figures.h"
#include "tools/stillframe/text/clean_text.h"

namespace stillframe::janks {
namespace {

using calltree::Counted;
using calltree::Grouped;

// "512 to 1,024 ms"
std::string Typical(const Jank& jank) {
  const uint64_t ms = jank.TypicalMs();
  return ms == 0 ? "" : fmt::format("{} to {} ms", Grouped(ms), Grouped(2 * ms));
}

std::string DayOf(uint64_t time_ms) {
  constexpr uint64_t kLastYear = 253'402'300'799'000;  // 9999
  if (time_ms == 0 || time_ms > kLastYear) return "";
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(static_cast<std::time_t>(time_ms / 1000)));
}

}  // namespace

std::string JankText(const JankRecords& records, size_t rows) {
  const std::vector<Jank> janks = records.ByTime();
  uint64_t count = 0;
  uint64_t total_ms = 0;
  size_t method_columns = 6;
  for (const Jank& jank : janks) {
    count += jank.count;
    total_ms += jank.total_ms;
    method_columns = std::max(method_columns, text::CharacterCount(jank.method));
  }
  method_columns = std::min<size_t>(method_columns, 60);
  std::string out = fmt::format("{} in {}, {} ms\n\n", Counted(count, "jank"),
                                Counted(records.records(), "record"), Grouped(total_ms));
  const auto row = [&out](const auto&... cells) {
    out += fmt::format("{:>8} {:>12} {:>10}  {:>18}  {:<10}  {}  {}\n", cells...);
    while (out.size() > 1 && out[out.size() - 2] == ' ') out.erase(out.size() - 2, 1);
  };
  const auto padded = [method_columns](std::string name) {
    const size_t length = text::CharacterCount(name);
    return length < method_columns ? name.append(method_columns - length, ' ') : name;
  };
  row("janks", "total ms", "longest", "typical", "last", padded("method"), "message");
  for (size_t i = 0; i < janks.size() && i < rows; ++i) {
    const Jank& jank = janks[i];
    const std::string scene = jank.scene.empty() ? "" : ", scene " + jank.scene;
    row(Grouped(jank.count), Grouped(jank.total_ms), Grouped(jank.longest_ms), Typical(jank),
        DayOf(jank.last_time_ms), padded(jank.method.empty() ? "no stack" : jank.method),
        jank.message + scene);
  }
  if (janks.size() > rows)
    out += fmt::format("and {} more; see --rows\n", Grouped(janks.size() - rows));
  return out;
}

}  // namespace stillframe::janks
