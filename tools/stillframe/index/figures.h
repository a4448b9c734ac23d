// SPDX-License-Identifier: Apache-2.0
// Figures as a person reads them: "2,940 ms", "98 %".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stillframe::index {

// "1,234,567"
std::string Grouped(uint64_t value);

// "1 message", "1,234 messages": `noun` with an s unless the count is 1.
std::string Counted(uint64_t count, std::string_view noun);

// Milliseconds without the unit: "2,940", and below 10 ms with one decimal, "3.4". Negative is
// allowed.
std::string Milliseconds(int64_t ns);

// "2,940 ms"; "?" for a negative time, which is an unknown one.
std::string Duration(int64_t ns);
std::string DurationUs(uint64_t us);

// "956 ms", from a second on "4.1 s", from ten minutes on "12.5 min".
std::string Seconds(uint64_t ns);

// "98%", "< 1%"; "0%" of nothing.
std::string Share(uint64_t part, uint64_t whole);

}  // namespace stillframe::index
