// SPDX-License-Identifier: Apache-2.0
// Names in the text of the Signal Catcher: "  at a.b.c(SourceFile:12)" and
// "  - locked <0x1> (a a.b)", as art/runtime/thread.cc writes them (AOSP 10 to 14).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tools/stillframe/mapping/retrace.h"

namespace stillframe::mapping {

struct TextNames {
  // What a frame stands for; nothing leaves it as it is.
  std::function<std::optional<Retraced>(const ObfuscatedFrame& frame)> frames;
  std::function<std::string(const std::string& name)> class_name;
};

// The text with other names; a frame with inlined ones becomes a line for each, and one of the
// compiler's own none. Each line ends with a line feed.
std::string RestoreText(std::string_view text, const TextNames& names);

}  // namespace stillframe::mapping
