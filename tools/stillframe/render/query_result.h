// SPDX-License-Identifier: Apache-2.0
// The result of a person's SQL, row by row.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/stillframe/fleet/engine.h"

namespace stillframe::render {

// Bytes that are not clean text are written in hexadecimal digits; a fraction with twelve digits,
// so that the engines' ways to add do not show.
class QueryResult {
 public:
  enum class Form : uint8_t { kCsv, kJsonLines };
  explicit QueryResult(Form form) : form_(form) {}

  void SetColumns(std::span<const std::string> columns);
  void Add(std::span<const fleet::Cell> cells);
  const std::string& text() const { return text_; }

 private:
  Form form_;
  std::vector<std::string> columns_;
  std::string text_;
};

}  // namespace stillframe::render
