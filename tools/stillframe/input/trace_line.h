// SPDX-License-Identifier: Apache-2.0
// The kinds of lines within a thread's block of traces.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stillframe::input {

enum class LineKind : uint8_t {
  kEmpty,
  kHead,
  kFact,         // "| sysTid=..."
  kFrame,        // "at a.B.c(B.java:1)"
  kAlternative,  // "<OR> at a.B.c(B.java)"
  kLock,         // "- locked <0x1> (a a.B)"
  kNative,       // "native: #00 pc ...", "#00 pc ...", "kernel: ..."
  kRepeat,       // "... repeated 3 times"
  kRemark,       // "(no managed stack frames)"
  kOther,
};

constexpr std::string_view kAlternativeMark = "<OR> at ";  // R8's retrace writes it

// The kind of a line without blanks around it.
LineKind KindOf(std::string_view line);

// Another origin of a frame, as ProGuard's ReTrace writes it: the characters that it shares with
// the frame above are blanks. Returns the whole frame; "": another line.
std::string WholeAlternative(std::string_view above, std::string_view line);

}  // namespace stillframe::input
