// SPDX-License-Identifier: Apache-2.0
// A store's database: rows that replace each other by version, and SQL that SQLite
// and ClickHouse 18.16 both take. Errors are one line, and say what to do.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/stillframe/fleet/tables.h"

namespace stillframe::fleet {

struct Cell {
  enum class Type : uint8_t { kNull, kInteger, kReal, kText };
  Type type = Type::kNull;
  std::string_view text;  // of a number too; bytes as they are

  int64_t Integer() const;
};

// Columns' values as text, in the order of the table.
using CellTexts = std::vector<std::string>;

// They take a query's result. Returning false ends it.
using TakeColumns = std::function<void(std::span<const std::string>)>;
using TakeRow = std::function<bool(std::span<const Cell>)>;

// kKeep writes what may as well be lost: it does not wait for another writer.
enum class Access : uint8_t { kRead, kKeep, kWrite, kCreate };

class Engine {
 public:
  virtual ~Engine() = default;

  // All rows or none, on SQLite. On ClickHouse a batch that failed may be there in part; adding it
  // again changes nothing.
  virtual bool Begin() = 0;
  virtual bool Commit() = 0;
  virtual void Rollback() = 0;
  virtual bool Insert(const Table& table, std::span<const CellTexts> rows) = 0;
  // `condition`: SQL. Returns when the rows are gone.
  virtual bool Delete(const Table& table, const std::string& condition) = 0;
  // `is_foreign`: a person's SQL, which may only read.
  virtual bool Select(const std::string& sql, bool is_foreign, const TakeColumns& columns,
                      const TakeRow& row) = 0;
  bool Select(const std::string& sql, const TakeRow& row) {
    return Select(
        sql, false, [](std::span<const std::string>) {}, row);
  }
  // The rows of a table that count, in a FROM clause.
  virtual std::string From(const Table& table) const = 0;
  // Whether the engine sums groups faster than rows can be fetched.
  virtual bool sums() const = 0;
  // Frees space, and checks the engine's own files.
  virtual bool Compact() = 0;
  virtual bool Check() = 0;

  const std::string& error() const { return error_; }

 protected:
  bool Fail(std::string error) {
    error_ = std::move(error);
    return false;
  }

 private:
  std::string error_;
};

// `to` is a file, or clickhouse://[USER:PASSWORD@]HOST:PORT/DATABASE. Null on failure.
std::unique_ptr<Engine> OpenEngine(const std::string& to, Access access, std::string* error);

std::unique_ptr<Engine> OpenSqlite(const std::string& path, Access access, std::string* error);
std::unique_ptr<Engine> OpenClickHouse(const std::string& url, Access access, std::string* error);
constexpr std::string_view kClickHouseScheme = "clickhouse://";

// Why a store whose tables have `version` cannot be opened; "": it can.
std::string WhyNotOpened(int version);

// 'it''s' for SQL.
std::string Quoted(std::string_view text);

}  // namespace stillframe::fleet
