// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/fleet/tables.h"

#include <fmt/format.h>

namespace stillframe::fleet {
namespace {

const char* TypeText(ColumnType type) {
  switch (type) {
    case ColumnType::kInteger: return "integer";
    case ColumnType::kVersion: return "version";
    case ColumnType::kText: return "text";
    case ColumnType::kBytes: return "bytes";
  }
  return "";
}

}  // namespace

std::string SchemaReference() {
  std::string out = fmt::format(
      "# Tables of a store\n\n"
      "Written by a test from `tools/stillframe/fleet/tables.h`. This is version {}.\n\n"
      "The first column is the key. Of rows with one key, the one with the highest `version` "
      "counts.\n"
      "SQLite keeps that row only. In ClickHouse a table is a ReplacingMergeTree named `hangs_all` "
      "and so on, and `hangs` is a view of the rows that count.\n",
      kSchemaVersion);
  for (const Table* table : kTables) {
    out += fmt::format("\n## {}\n\n{}.\n\n| Column | Type | Meaning |\n| --- | --- | --- |\n",
                       table->name, table->what);
    for (const Column& column : table->columns)
      out += fmt::format("| `{}` | {} | {} |\n", column.name, TypeText(column.type), column.what);
  }
  return out;
}

}  // namespace stillframe::fleet
