// SPDX-License-Identifier: Apache-2.0
// Figures in the form that people read: "2,940 ms", "98 %".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stillframe::index {

// "1,234,567"
std::string Grouped(uint64_t value);

// "1 message", "1,234 messages": `noun` with an s unless the count is 1.
std::string Counted(uint64_t count, std::string_view noun);

// Milliseconds without the unit: "2,940"; below 10 ms with one decimal, "3.4". May be negative.
std::string Milliseconds(int64_t ns);

// "2,940 ms"; "?" for a negative time, which means unknown.
std::string Duration(int64_t ns);
std::string DurationUs(uint64_t us);

// "956 ms"; from a second on "4.1 s"; from ten minutes on "12.5 min".
std::string Seconds(uint64_t ns);

// "98%", "< 1%"; "0%" if `whole` is 0.
std::string Share(uint64_t part, uint64_t whole);

}  // namespace stillframe::index
