// SPDX-License-Identifier: Apache-2.0
// Text that somebody pasted: what copying put around it is removed.
#pragma once

#include <string>

namespace stillframe::input {

struct PastedText {
  std::string text;   // UTF-8 with LF line ends, without a byte order mark or NUL
  std::string notes;  // what was removed, "UTF-16; quotation marks '>'"; "": nothing
};

// Decodes UTF-16. Removes byte order marks, CR, NUL, Markdown fences, HTML, quotation marks, what
// all lines begin or end with, indentation of the whole text, and escapes of a string in source
// code. Repeats until nothing changes, since a quotation may hold a log. Takes O(size).
PastedText Unwrap(std::string bytes);

}  // namespace stillframe::input
