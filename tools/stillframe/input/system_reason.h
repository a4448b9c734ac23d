// SPDX-License-Identifier: Apache-2.0
// Finds the system's reason of an ANR in the text above the threads.
#pragma once

#include <string>
#include <string_view>

namespace stillframe::input {

// A reason without "Subject: " in front, as Play Console and people write it, or in a field of a
// log or table; "": none in the line.
std::string_view ReasonOf(std::string_view line);

// The last subject is the system's: a mail has its own before it. Without a subject, the first
// bare reason above the threads counts. A mail may have wrapped it: then its last bracket is not
// closed in its line.
std::string SubjectOf(std::string_view head);

// A package or class: letters, digits, "_", "$" and at least one dot.
bool IsDottedName(std::string_view name);

// The package in "com.shop/com.shop.Main" of a reason; "": none.
std::string_view PackageIn(std::string_view reason);

}  // namespace stillframe::input
