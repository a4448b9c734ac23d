// SPDX-License-Identifier: Apache-2.0
// SQLite: https://www.sqlite.org/lang_upsert.html, pragma.html
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <utility>

#include "tools/stillframe/fleet/engine.h"

namespace stillframe::fleet {
namespace {

constexpr int kApplicationId = 0x53464C54;  // "SFLT"
constexpr int kWaitMs = 10'000;             // for another process's writing

const char* SqliteTypeOf(ColumnType type) {
  if (type == ColumnType::kText) return "TEXT";
  return type == ColumnType::kBytes ? "BLOB" : "INTEGER";
}

std::string TableSql(const Table& table) {
  std::string columns;
  for (const Column& column : table.columns)
    columns += fmt::format("{}\"{}\" {} NOT NULL{}", columns.empty() ? "" : ", ", column.name,
                           SqliteTypeOf(column.type), columns.empty() ? " PRIMARY KEY" : "");
  return fmt::format("CREATE TABLE IF NOT EXISTS {} ({})", table.name, columns);
}

std::string InsertSql(const Table& table) {
  std::string names;
  std::string places;
  std::string changes;
  for (const Column& column : table.columns) {
    const std::string name = fmt::format("\"{}\"", column.name);
    names += (names.empty() ? "" : ", ") + name;
    places += places.empty() ? "?" : ", ?";
    if (&column != table.columns.data())
      changes += fmt::format("{}{} = excluded.{}", changes.empty() ? "" : ", ", name, name);
  }
  return fmt::format(
      "INSERT INTO {0} ({1}) VALUES ({2}) ON CONFLICT(\"{3}\") DO UPDATE SET {4} "
      "WHERE excluded.version > {0}.version",
      table.name, names, places, table.columns[0].name, changes);
}

class Sqlite : public Engine {
 public:
  Sqlite() = default;
  ~Sqlite() override {
    for (const auto& [name, statement] : inserts_) sqlite3_finalize(statement);
    sqlite3_close(database_);
  }
  Sqlite(const Sqlite&) = delete;
  Sqlite& operator=(const Sqlite&) = delete;

  bool Open(const std::string& path, Access access);

  bool Begin() override { return Run("BEGIN IMMEDIATE"); }
  bool Commit() override { return Run("COMMIT"); }
  void Rollback() override { sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr); }
  bool Insert(const Table& table, std::span<const CellTexts> rows) override;
  bool Delete(const Table& table, const std::string& condition) override {
    return Run(fmt::format("DELETE FROM {} WHERE {}", table.name, condition));
  }
  bool Select(const std::string& sql, bool is_foreign, const TakeColumns& columns,
              const TakeRow& row) override;
  std::string From(const Table& table) const override { return table.name; }
  bool sums() const override { return false; }
  bool Compact() override { return Run("VACUUM") && Run("PRAGMA wal_checkpoint(TRUNCATE)"); }
  bool Check() override;

 private:
  bool Run(const std::string& sql) {
    return sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK ||
           FailNow();
  }
  bool FailNow();
  int Number(const char* pragma);
  bool CreateTables();
  bool OpenUnchanging(const std::string& path);

  std::string path_;
  sqlite3* database_ = nullptr;
  std::map<std::string_view, sqlite3_stmt*> inserts_;
};

bool Sqlite::FailNow() {
  const char* what = database_ == nullptr ? "no memory" : sqlite3_errmsg(database_);
  switch (database_ == nullptr ? SQLITE_NOMEM : sqlite3_errcode(database_)) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return Fail("is locked by another process; try again when that has ended");
    case SQLITE_FULL:
    case SQLITE_IOERR:
      return Fail(fmt::format("cannot be written ({}); free space, and try again", what));
    case SQLITE_READONLY:
      return Fail("may not be written; change its permissions and those of its folder");
    case SQLITE_CANTOPEN: return Fail("cannot be opened; check its path and permissions");
    case SQLITE_NOTADB: return Fail("is not a store; name another file");
    case SQLITE_CORRUPT:
      return Fail(fmt::format("is damaged ({}); add its files to a new store", what));
    default: return Fail(what);
  }
}

int Sqlite::Number(const char* pragma) {
  int number = -1;
  Engine::Select(fmt::format("PRAGMA {}", pragma), [&number](std::span<const Cell> cells) {
    number = static_cast<int>(cells[0].Integer());
    return true;
  });
  return number;
}

bool Sqlite::CreateTables() {
  return std::ranges::all_of(
             kTables, [this](const Table* table) { return Run(TableSql(*table)); }) &&
         Run(fmt::format("PRAGMA application_id = {}", kApplicationId)) &&
         Run(fmt::format("PRAGMA user_version = {}", kSchemaVersion));
}

// A store in a folder that may not be written, where SQLite cannot keep its lists of pages.
bool Sqlite::OpenUnchanging(const std::string& path) {
  if (access(path.c_str(), R_OK) != 0 ||
      access(std::filesystem::absolute(path).parent_path().c_str(), W_OK) == 0)
    return false;
  std::string uri = "file:";
  for (const char c : path)
    uri += c == '?' || c == '#' || c == '%' ? fmt::format("%{:02x}", static_cast<unsigned>(c))
                                            : std::string(1, c);
  sqlite3_close(database_);
  database_ = nullptr;
  return sqlite3_open_v2((uri + "?immutable=1").c_str(), &database_,
                         SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr) == SQLITE_OK;
}

bool Sqlite::Open(const std::string& path, Access access) {
  path_ = path;
  std::error_code ignored;
  if (access != Access::kCreate && !std::filesystem::exists(path, ignored))
    return Fail("is not there; make it with 'stillframe store add'");
  if (std::filesystem::is_directory(path, ignored)) return Fail("is a folder; name a file");
  const int flags =
      access == Access::kRead ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  if (sqlite3_open_v2(path.c_str(), &database_, flags, nullptr) != SQLITE_OK) return FailNow();
  sqlite3_busy_timeout(database_, access == Access::kKeep ? 0 : kWaitMs);
  int application = Number("application_id");
  if (application < 0 && access == Access::kRead && OpenUnchanging(path))
    application = Number("application_id");
  if (application < 0) return false;
  const int version = Number("user_version");
  if (version < 0) return false;
  int tables = 0;
  if (!Engine::Select("SELECT count(*) FROM sqlite_master", [&tables](std::span<const Cell> cells) {
        tables = static_cast<int>(cells[0].Integer());
        return true;
      }))
    return false;
  if (application != kApplicationId && (tables != 0 || access != Access::kCreate))
    return Fail("is not a store; name another file");
  const bool is_new = tables == 0 && access == Access::kCreate;
  if (std::string why = WhyNotOpened(version); !why.empty() && !is_new) return Fail(std::move(why));
  if (!Run("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536")) return false;
  if (access == Access::kRead) return true;
  // A killed process loses no transaction that was committed. Pages that several transactions
  // change go from the log, of about 32 MiB, into the file once.
  if (!Run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; "
           "PRAGMA wal_autocheckpoint = 8000"))
    return false;
  return !is_new || (Begin() && CreateTables() && Commit());
}

bool Sqlite::Insert(const Table& table, std::span<const CellTexts> rows) {
  if (rows.empty()) return true;
  sqlite3_stmt*& statement = inserts_[table.name];
  if (statement == nullptr &&
      sqlite3_prepare_v3(database_, InsertSql(table).c_str(), -1, SQLITE_PREPARE_PERSISTENT,
                         &statement, nullptr) != SQLITE_OK)
    return FailNow();
  for (const CellTexts& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string& text = row[i];
      const int at = static_cast<int>(i) + 1;
      const int size = static_cast<int>(text.size());
      switch (table.columns[i].type) {
        case ColumnType::kText:
          sqlite3_bind_text(statement, at, text.data(), size, SQLITE_STATIC);
          break;
        case ColumnType::kBytes:
          sqlite3_bind_blob(statement, at, text.data(), size, SQLITE_STATIC);
          break;
        default: sqlite3_bind_int64(statement, at, Cell{.text = text}.Integer());
      }
    }
    const int result = sqlite3_step(statement);
    if (result != SQLITE_DONE) FailNow();
    sqlite3_reset(statement);
    if (result != SQLITE_DONE) return false;
  }
  return true;
}

bool Sqlite::Select(const std::string& sql, bool is_foreign, const TakeColumns& columns,
                    const TakeRow& take) {
  sqlite3_stmt* statement = nullptr;
  const char* rest = nullptr;
  if (sqlite3_prepare_v2(database_, sql.c_str(), -1, &statement, &rest) != SQLITE_OK)
    return FailNow();
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> owner(statement, sqlite3_finalize);
  if (statement == nullptr) return Fail("the SQL is empty");
  if (is_foreign && (sqlite3_stmt_readonly(statement) == 0 ||
                     std::string_view(rest).find_first_not_of("; \n\t") != std::string::npos))
    return Fail("the SQL may only read, in one statement");
  const auto count = static_cast<size_t>(sqlite3_column_count(statement));
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i)
    names.emplace_back(sqlite3_column_name(statement, static_cast<int>(i)));
  columns(names);
  std::vector<Cell> cells(count);
  std::vector<std::string> reals(count);
  for (;;) {
    const int result = sqlite3_step(statement);
    if (result == SQLITE_DONE) return true;
    if (result != SQLITE_ROW) return FailNow();
    for (size_t i = 0; i < count; ++i) {
      const int at = static_cast<int>(i);
      Cell& cell = cells[i];
      switch (sqlite3_column_type(statement, at)) {
        case SQLITE_INTEGER: cell.type = Cell::Type::kInteger; break;
        case SQLITE_FLOAT:
          reals[i] = fmt::format("{}", sqlite3_column_double(statement, at));
          cell = {.type = Cell::Type::kReal, .text = reals[i]};
          continue;
        case SQLITE_NULL: cell = {}; continue;
        default: cell.type = Cell::Type::kText;
      }
      const void* bytes = sqlite3_column_blob(statement, at);
      cell.text = {static_cast<const char*>(bytes),
                   static_cast<size_t>(sqlite3_column_bytes(statement, at))};
    }
    if (!take(cells)) return true;
  }
}

bool Sqlite::Check() {
  std::string trouble;
  if (!Engine::Select("PRAGMA integrity_check(5)", [&trouble](std::span<const Cell> cells) {
        if (cells[0].text != "ok") trouble = std::string(cells[0].text);
        return trouble.empty();
      }))
    return false;
  if (trouble.empty()) return true;
  return Fail(fmt::format("is damaged ({}); add its files to a new store", trouble));
}

}  // namespace

std::unique_ptr<Engine> OpenSqlite(const std::string& path, Access access, std::string* error) {
  auto engine = std::make_unique<Sqlite>();
  if (engine->Open(path, access)) return engine;
  *error = engine->error();
  return nullptr;
}

}  // namespace stillframe::fleet
