// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/fleet/engine.h"

#include <fmt/format.h>

#include <charconv>

namespace stillframe::fleet {

int64_t Cell::Integer() const {
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::unique_ptr<Engine> OpenEngine(const std::string& to, Access access, std::string* error) {
  return to.starts_with(kClickHouseScheme) ? OpenClickHouse(to, access, error)
                                           : OpenSqlite(to, access, error);
}

std::string WhyNotOpened(int version) {
  if (version == kSchemaVersion) return "";
  return version > kSchemaVersion
             ? fmt::format(
                   "was made by a newer stillframe: its tables have version {}, and this "
                   "program reads version {}; install the newer stillframe",
                   version, kSchemaVersion)
             : "was made by a stillframe before the first release; add its files to a new store";
}

std::string Quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    // ClickHouse reads escapes within quotation marks; SQLite does not.
    if (c == '\'') out += '\'';
    if (c != '\\') out += c;
  }
  return out + "'";
}

}  // namespace stillframe::fleet
