// SPDX-License-Identifier: Apache-2.0
// The tables of a store: their reference, and what a table must have. A ranking as JSON.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/host/reference_page.h"
#include "tools/stillframe/fleet/tables.h"
#include "tools/stillframe/render/cause_ranking.h"

namespace stillframe::fleet {
namespace {

TEST(StoreSchema, TheReferenceIsCurrent) { ExpectReference("store.md", SchemaReference()); }

TEST(StoreSchema, EachTableHasAKeyAndAVersion) {
  for (const Table* table : kTables) {
    ASSERT_GE(table->columns.size(), 2U);
    EXPECT_NE(table->columns[0].type, ColumnType::kVersion) << table->name;
    EXPECT_STREQ(table->columns[1].name, "version") << table->name;
    EXPECT_EQ(table->columns[1].type, ColumnType::kVersion) << table->name;
    std::set<std::string> names;
    for (const Column& column : table->columns)
      EXPECT_TRUE(names.insert(column.name).second) << table->name << ": " << column.name;
  }
}

TEST(StoreRanking, JsonTakesNumbersBelowTheSmallestNormalOne) {
  CauseRanking ranking;
  ranking.hours = 4e-320;
  EXPECT_NE(render::CauseRankingJson(ranking).find("\"hours\""), std::string::npos);
}

}  // namespace
}  // namespace stillframe::fleet
