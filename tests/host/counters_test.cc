// SPDX-License-Identifier: Apache-2.0
// The table of counters, and its page.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>
#include <string_view>

#include <stillframe/counters.h>

#include "tests/host/reference_page.h"

namespace stillframe {
namespace {

TEST(Counters, NamesAreWordsOfTheirOwn) {
  std::set<std::string_view> names;
  for (const CounterRow& row : kCounterRows) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_NE(std::string_view(row.meaning), "") << row.name;
    for (const char* c = row.name; *c != 0; ++c)
      EXPECT_TRUE(islower(*c) || *c == '_' || *c == ',') << row.name;
    EXPECT_EQ(FindCounter(row.name), &row);
  }
}

TEST(Counters, TheReferenceIsCurrent) {
  std::string page =
      "# Counters\n\nWhat the profiler counts about itself. Made from "
      "[counters.h](../../include/stillframe/counters.h) by the test `Counters`, which "
      "fails\nwhere "
      "this page is not current: do not edit. See them with `stillframe inspect DUMP`.\n\n"
      "| counter | meaning | only with |\n|---|---|---|\n";
  for (const CounterRow& row : kCounterRows)
    page += fmt::format("| `{}` | {} | {} |\n", row.name, row.meaning,
                        row.only == nullptr ? "" : row.only);
  ExpectReference("counters.md", page);
}

}  // namespace
}  // namespace stillframe
