// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/render/query_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tools/stillframe/index/clean_text.h"

namespace stillframe::render {
namespace {

using fleet::Cell;

// Other bytes than text are written in hexadecimal digits.
std::string Printable(std::string_view text) {
  std::string without(text);
  std::erase_if(without, [](char c) { return c == '\n' || c == '\t'; });
  if (index::IsClean(without)) return std::string(text);
  std::string out;
  for (const char c : text) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

std::string CsvCell(const Cell& cell) {
  if (cell.type != Cell::Type::kText) return std::string(cell.text);
  std::string text = Printable(cell.text);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

nlohmann::ordered_json JsonCell(const Cell& cell) {
  switch (cell.type) {
    case Cell::Type::kNull: return nullptr;
    case Cell::Type::kInteger: {
      uint64_t number = 0;
      const char* end = cell.text.data() + cell.text.size();
      if (std::from_chars(cell.text.data(), end, number).ptr == end) return number;
      return cell.Integer();
    }
    case Cell::Type::kReal: {
      // Twelve digits, so that the engines' ways to add do not show.
      const double value = std::strtod(std::string(cell.text).c_str(), nullptr);
      return std::strtod(fmt::format("{:.12g}", value).c_str(), nullptr);
    }
    case Cell::Type::kText: return Printable(cell.text);
  }
  return nullptr;
}

}  // namespace

void QueryResult::SetColumns(std::span<const std::string> columns) {
  columns_.assign(columns.begin(), columns.end());
  if (form_ != Form::kCsv || columns_.empty()) return;
  for (size_t i = 0; i < columns_.size(); ++i)
    text_ += (i == 0 ? "" : ",") + CsvCell({.type = Cell::Type::kText, .text = columns_[i]});
  text_ += "\n";
}

void QueryResult::Add(std::span<const Cell> cells) {
  if (form_ == Form::kCsv) {
    for (size_t i = 0; i < cells.size(); ++i) {
      // Each engine has its own form of a fraction.
      const bool is_real = cells[i].type == Cell::Type::kReal;
      text_ += (i == 0 ? "" : ",") + (is_real ? JsonCell(cells[i]).dump() : CsvCell(cells[i]));
    }
  } else {
    nlohmann::ordered_json row = nlohmann::ordered_json::object();
    for (size_t i = 0; i < cells.size(); ++i) row[columns_[i]] = JsonCell(cells[i]);
    text_ += row.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  text_ += "\n";
}

}  // namespace stillframe::render
