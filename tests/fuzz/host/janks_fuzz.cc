// SPDX-License-Identifier: Apache-2.0
// Any bytes as a record of janks or a session: one line, or rows that can be written.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "tools/stillframe/compare/jank_records.h"
#include "tools/stillframe/index/clean_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace stillframe;
  compare::JankRecords records;
  std::string error;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const bool is_record = records.Add(bytes, &error);
  if (is_record != error.empty() || error.find('\n') != std::string::npos) std::abort();
  if (is_record != (records.records() + records.sessions() == 1)) std::abort();
  // The same twice is one row.
  if (is_record && (!records.Add(bytes, &error) || records.ByTime().size() > 1)) std::abort();
  std::string dump;
  std::vector<model::ContextEntry> identity;
  compare::ReadFacts(bytes, &dump, &identity);
  const std::string text = compare::JankText(records, 20);
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    if (end == std::string::npos || !index::IsClean(text.substr(begin, end - begin))) std::abort();
    begin = end + 1;
  }
  return 0;
}
