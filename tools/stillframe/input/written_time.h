// SPDX-License-Identifier: Apache-2.0
// Times as the system writes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stillframe::input {

// The number that `digits` begins with; 0: none.
uint32_t NumberAt(std::string_view digits);

// The text begins with `form`, where a 0 of the form means any digit.
bool HasForm(std::string_view text, std::string_view form);

struct WrittenTime {
  std::string text;      // as written, without fractions
  uint64_t unix_ns = 0;  // 0: the zone is not written
};

// Reads "2023-10-05 11:11:47.498470708+0100"; empty: the text does not begin with a time.
WrittenTime ReadTime(std::string_view text);

}  // namespace stillframe::input
