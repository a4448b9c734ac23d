// SPDX-License-Identifier: Apache-2.0
// Marks that people and their tools put around a text or its lines.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stillframe::input {

// Each returns false, and changes nothing, if the text has no such marks.
using Lines = std::vector<std::string_view>;

// Blocks between lines of ``` or ~~~.
bool TakeFences(Lines* lines);
// ">" of a mail.
bool TakeQuotes(Lines* lines);
// "+" in front of each line, as diff writes.
bool TakePlus(Lines* lines);
// "  12  text", "12 | text", "12: text": numbers that count the lines.
bool TakeLineNumbers(Lines* lines);
// The margin of a raw string in Kotlin, "    |text".
bool TakeMargin(Lines* lines);
// Indentation of the whole text.
bool TakeIndentation(Lines* lines);

// Strings joined with "+" over lines, in Java and Kotlin: the text between the quotation marks.
// Nothing if the text has another form.
std::optional<std::string> WithoutConcatenation(std::string_view text);

}  // namespace stillframe::input
