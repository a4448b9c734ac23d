// SPDX-License-Identifier: Apache-2.0
// A pasted stack without the head of its thread: lines "at a.B.c(B.java:1)" alone.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace stillframe::input {

struct BareStack {
  std::string traces;    // the frames below a head, as ART writes it
  bool is_main = false;  // it ends in the main thread's loop
  size_t others = 0;     // more stacks in the text
};

// The first stack of a main thread, else the first one. Nothing in texts of crashes, and in texts
// with frames without "at " between other lines.
std::optional<BareStack> FindBareStack(std::string_view text);

}  // namespace stillframe::input
