// SPDX-License-Identifier: Apache-2.0
// ClickHouse's HTTP interface: https://clickhouse.com/docs/en/interfaces/http. Tried with 18.16.
#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "tools/stillframe/fleet/engine.h"
#include "tools/stillframe/fleet/rows.h"
#include "tools/stillframe/index/clean_text.h"

namespace stillframe::fleet {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr seconds kRestartTime{60};  // a server that is away may come back
constexpr auto kPause = std::chrono::milliseconds(250);
constexpr seconds kDeleteTime{300};

// Escapes of the format TabSeparated.
void AddEscaped(std::string_view text, std::string* out) {
  for (const char c : text) {
    switch (c) {
      case '\\': *out += "\\\\"; break;
      case '\t': *out += "\\t"; break;
      case '\n': *out += "\\n"; break;
      case '\0': *out += "\\0"; break;
      default: *out += c;
    }
  }
}

// The text without them; `space` may hold it.
std::string_view Unescaped(std::string_view text, std::string* space) {
  if (text.find('\\') == std::string_view::npos) return text;
  space->clear();
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      *space += text[i];
      continue;
    }
    switch (text[++i]) {
      case 't': *space += '\t'; break;
      case 'n': *space += '\n'; break;
      case 'r': *space += '\r'; break;
      case 'b': *space += '\b'; break;
      case 'f': *space += '\f'; break;
      case '0': *space += '\0'; break;
      default: *space += text[i];
    }
  }
  return *space;
}

const char* ClickhouseTypeOf(ColumnType type) {
  switch (type) {
    case ColumnType::kInteger: return "Int64";
    case ColumnType::kVersion: return "UInt64";
    default: return "String";
  }
}

Cell::Type CellType(std::string_view type) {
  if (type.starts_with("Nullable(")) type.remove_prefix(9);
  if (type.starts_with("Int") || type.starts_with("UInt")) return Cell::Type::kInteger;
  if (type.starts_with("Float") || type.starts_with("Decimal")) return Cell::Type::kReal;
  return Cell::Type::kText;
}

// "Code: 47, e.displayText() = DB::Exception: Unknown identifier: nope, e.what() = DB::Exception"
std::string WhatItSays(std::string_view answer) {
  constexpr std::string_view kBefore = "DB::Exception: ";
  if (const size_t at = answer.find(kBefore); at != std::string_view::npos)
    answer.remove_prefix(at + kBefore.size());
  answer = answer.substr(0, answer.find(", e.what()"));
  return index::CleanText(answer.substr(0, answer.find('\n')), 300);
}

size_t TakeBytes(char* bytes, size_t size, size_t count, void* out) {
  static_cast<std::string*>(out)->append(bytes, size * count);
  return size * count;
}

struct Address {
  std::string user;
  std::string password;
  std::string host;
  std::string database;
};

bool ReadAddress(std::string_view url, Address* address) {
  url.remove_prefix(kClickHouseScheme.size());
  if (const size_t at = url.rfind('@'); at != std::string_view::npos) {
    const std::string_view user = url.substr(0, at);
    address->user = user.substr(0, user.find(':'));
    if (const size_t colon = user.find(':'); colon != std::string_view::npos)
      address->password = user.substr(colon + 1);
    url.remove_prefix(at + 1);
  }
  const size_t slash = url.find('/');
  if (slash == 0 || slash == std::string_view::npos) return false;
  address->host = url.substr(0, slash);
  address->database = url.substr(slash + 1);
  return !address->database.empty() && std::ranges::all_of(address->database, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  });
}

class ClickHouse : public Engine {
 public:
  ClickHouse() = default;
  ~ClickHouse() override {
    curl_slist_free_all(headers_);
    curl_easy_cleanup(curl_);
  }
  ClickHouse(const ClickHouse&) = delete;
  ClickHouse& operator=(const ClickHouse&) = delete;

  bool Open(const std::string& url, Access access);

  bool Begin() override { return true; }
  bool Commit() override { return true; }
  void Rollback() override {}
  bool Insert(const Table& table, std::span<const CellTexts> rows) override;
  bool Delete(const Table& table, const std::string& condition) override;
  bool Select(const std::string& sql, bool is_foreign, const TakeColumns& columns,
              const TakeRow& row) override;
  std::string From(const Table& table) const override {
    return fmt::format("{}_all FINAL", table.name);
  }
  bool sums() const override { return true; }
  bool Compact() override;
  bool Check() override { return true; }

 private:
  // Sends a statement, again while the server is away: each may be repeated.
  bool Ask(const std::string& sql, bool in_database, bool only_reads, std::string* answer);
  bool Do(const std::string& sql) {
    std::string answer;
    return Ask(sql, true, false, &answer);
  }
  bool One(const std::string& sql, std::string* value);
  bool CreateTables();

  Address address_;
  CURL* curl_ = nullptr;
  curl_slist* headers_ = nullptr;
  bool was_there_ = false;
};

bool ClickHouse::Ask(const std::string& sql, bool in_database, bool only_reads,
                     std::string* answer) {
  const std::string url = fmt::format("http://{}/?wait_end_of_query=1{}{}", address_.host,
                                      in_database ? "&database=" + address_.database : "",
                                      only_reads ? "&readonly=1" : "");
  curl_easy_setopt(curl_, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl_, CURLOPT_POSTFIELDS, sql.data());
  curl_easy_setopt(curl_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(sql.size()));
  curl_easy_setopt(curl_, CURLOPT_WRITEDATA, answer);
  const auto end = steady_clock::now() + kRestartTime;
  for (;;) {
    answer->clear();
    const CURLcode result = curl_easy_perform(curl_);
    if (result == CURLE_OK) break;
    if (!was_there_ || steady_clock::now() >= end)
      return Fail(fmt::format("no ClickHouse answers ({}); start it, or correct the address",
                              curl_easy_strerror(result)));
    std::this_thread::sleep_for(kPause);
  }
  was_there_ = true;
  long status = 0;
  curl_easy_getinfo(curl_, CURLINFO_RESPONSE_CODE, &status);
  if (status == 200) return true;
  return Fail(fmt::format("ClickHouse refuses: {}", WhatItSays(*answer)));
}

bool ClickHouse::One(const std::string& sql, std::string* value) {
  if (!Ask(sql, true, true, value)) return false;
  value->resize(std::min(value->find('\n'), value->size()));
  return true;
}

bool ClickHouse::CreateTables() {
  for (const Table* table : kTables) {
    std::string columns;
    for (const Column& column : table->columns)
      columns += fmt::format("{}`{}` {}", columns.empty() ? "" : ", ", column.name,
                             ClickhouseTypeOf(column.type));
    if (!Do(fmt::format("CREATE TABLE IF NOT EXISTS {}_all ({}) ENGINE = "
                        "ReplacingMergeTree(version) ORDER BY `{}`",
                        table->name, columns, table->columns[0].name)) ||
        !Do(fmt::format("CREATE VIEW IF NOT EXISTS {0} AS SELECT * FROM {0}_all FINAL",
                        table->name)))
      return false;
  }
  return InsertRows<MetaRow>(this, {{.name = "schema",
                                     .version = RowVersion{kSchemaVersion},
                                     .value = std::to_string(kSchemaVersion)}});
}

bool ClickHouse::Open(const std::string& url, Access access) {
  if (!ReadAddress(url, &address_))
    return Fail("expected clickhouse://HOST:PORT/DATABASE, with letters, digits and _ in the name");
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  curl_ = curl_easy_init();
  if (curl_ == nullptr) return Fail("no memory for a connection");
  // Servers with a proxy or TLS in front are for a team's own setup.
  curl_easy_setopt(curl_, CURLOPT_PROTOCOLS_STR, "http");
  curl_easy_setopt(curl_, CURLOPT_PROXY, "");
  curl_easy_setopt(curl_, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl_, CURLOPT_POST, 1L);
  curl_easy_setopt(curl_, CURLOPT_WRITEFUNCTION, TakeBytes);
  curl_easy_setopt(curl_, CURLOPT_CONNECTTIMEOUT, 10L);
  headers_ = curl_slist_append(headers_, "Expect:");
  if (!address_.user.empty()) {
    headers_ = curl_slist_append(headers_, ("X-ClickHouse-User: " + address_.user).c_str());
    headers_ = curl_slist_append(headers_, ("X-ClickHouse-Key: " + address_.password).c_str());
  }
  curl_easy_setopt(curl_, CURLOPT_HTTPHEADER, headers_);

  std::string answer;
  if (access == Access::kCreate &&
      !Ask("CREATE DATABASE IF NOT EXISTS " + address_.database, false, false, &answer))
    return false;
  std::string tables;
  if (!Ask("SELECT name FROM system.tables WHERE database = " + Quoted(address_.database), false,
           true, &tables))
    return false;
  int version = 0;
  if (tables.find("meta_all\n") != std::string::npos) {
    std::string value;
    if (!One("SELECT max(version) FROM meta_all WHERE name = 'schema'", &value)) return false;
    version = static_cast<int>(Cell{.text = value}.Integer());
  }
  if (version == 0 && access != Access::kCreate)
    return Fail("is not there; make it with 'stillframe store add'");
  if (version == 0) return CreateTables();
  std::string why = WhyNotOpened(version);
  return why.empty() || Fail(std::move(why));
}

bool ClickHouse::Insert(const Table& table, std::span<const CellTexts> rows) {
  if (rows.empty()) return true;
  std::string sql = fmt::format("INSERT INTO {}_all FORMAT TabSeparated\n", table.name);
  for (const CellTexts& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      if (i != 0) sql += '\t';
      AddEscaped(row[i], &sql);
    }
    sql += '\n';
  }
  return Do(sql);
}

bool ClickHouse::Delete(const Table& table, const std::string& condition) {
  const std::string name = std::string(table.name) + "_all";
  std::string count;
  if (!One(fmt::format("SELECT count() FROM {} WHERE {}", name, condition), &count)) return false;
  if (count == "0") return true;
  if (!Do(fmt::format("ALTER TABLE {} DELETE WHERE {}", name, condition))) return false;
  const auto end = steady_clock::now() + kDeleteTime;
  while (steady_clock::now() < end) {
    std::string left;
    if (!One(fmt::format("SELECT count() FROM system.mutations WHERE database = {} AND table = {} "
                         "AND is_done = 0",
                         Quoted(address_.database), Quoted(name)),
             &left))
      return false;
    if (left == "0") return true;
    std::this_thread::sleep_for(kPause);
  }
  return Fail("ClickHouse has not deleted the rows yet; look at system.mutations");
}

bool ClickHouse::Select(const std::string& sql, bool is_foreign, const TakeColumns& columns,
                        const TakeRow& take) {
  std::string answer;
  (void)is_foreign;  // all may only read
  std::string_view statement = sql;
  while (!statement.empty() &&
         std::string_view("; \n\t").find(statement.back()) != std::string_view::npos)
    statement.remove_suffix(1);
  if (!Ask(fmt::format("{}\nFORMAT TabSeparatedWithNamesAndTypes", statement), true, true, &answer))
    return false;
  std::string_view rest = answer;
  const auto next_line = [&rest](std::vector<std::string_view>* cells) {
    const size_t end = rest.find('\n');
    if (end == std::string_view::npos) return false;
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    cells->clear();
    for (;;) {
      const size_t tab = line.find('\t');
      cells->push_back(line.substr(0, tab));
      if (tab == std::string_view::npos) return true;
      line.remove_prefix(tab + 1);
    }
  };
  std::vector<std::string_view> texts;
  if (!next_line(&texts)) return true;
  std::vector<std::string> names;
  names.reserve(texts.size());
  std::string space;
  for (const std::string_view text : texts) names.emplace_back(Unescaped(text, &space));
  // As SQLite names it.
  std::ranges::replace(names, "count()", "count(*)");
  columns(names);
  if (!next_line(&texts)) return true;
  std::vector<Cell::Type> types;
  types.reserve(texts.size());
  for (const std::string_view type : texts) types.push_back(CellType(type));
  std::vector<Cell> cells(types.size());
  std::vector<std::string> spaces(types.size());
  while (next_line(&texts)) {
    if (texts.size() != types.size()) return Fail("ClickHouse answers in another form");
    for (size_t i = 0; i < texts.size(); ++i)
      cells[i] = texts[i] == "\\N"
                     ? Cell{}
                     : Cell{.type = types[i], .text = Unescaped(texts[i], &spaces[i])};
    if (!take(cells)) return true;
  }
  return true;
}

bool ClickHouse::Compact() {
  return std::ranges::all_of(
      kTables,
      [this](const Table* table) {
        return Do(fmt::format("OPTIMIZE TABLE {}_all FINAL", table->name));
      });
}

}  // namespace

std::unique_ptr<Engine> OpenClickHouse(const std::string& url, Access access, std::string* error) {
  auto engine = std::make_unique<ClickHouse>();
  if (engine->Open(url, access)) return engine;
  *error = engine->error();
  return nullptr;
}

}  // namespace stillframe::fleet
