// SPDX-License-Identifier: Apache-2.0
// The tables of a store: their reference, and what a table must have. A ranking as JSON.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/host/reference_page.h"
#include "tools/stillframe/store/rank.h"
#include "tools/stillframe/store/schema.h"

namespace stillframe::store {
namespace {

TEST(StoreSchema, TheReferenceIsCurrent) { ExpectReference("store.md", SchemaReference()); }

TEST(StoreSchema, EachTableHasAKeyAndAVersion) {
  int newest = 1;
  for (const Table* table : kTables) {
    ASSERT_GE(table->columns.size(), 2U);
    EXPECT_NE(table->columns[0].type, ColumnType::kVersion) << table->name;
    EXPECT_STREQ(table->columns[1].name, "version") << table->name;
    EXPECT_EQ(table->columns[1].type, ColumnType::kVersion) << table->name;
    std::set<std::string> names;
    int since = 1;
    for (const Column& column : table->columns) {
      EXPECT_TRUE(names.insert(column.name).second) << table->name << ": " << column.name;
      // A store of an older version gets new columns at the end.
      EXPECT_GE(column.since, since) << table->name << ": " << column.name;
      since = column.since;
    }
    newest = std::max(newest, since);
  }
  EXPECT_EQ(newest, kSchemaVersion);
}

TEST(StoreRanking, JsonTakesNumbersBelowTheSmallestNormalOne) {
  Ranking ranking;
  ranking.hours = 4e-320;
  EXPECT_NE(RankJson(ranking).find("\"hours\""), std::string::npos);
}

}  // namespace
}  // namespace stillframe::store
