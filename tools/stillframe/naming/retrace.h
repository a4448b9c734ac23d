// SPDX-License-Identifier: Apache-2.0
// From an obfuscated frame to the frames it stands for, as R8's retrace does it; where that names
// several possibilities and the descriptor does not tell them apart, one frame names them all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/stillframe/naming/mapping_reader.h"

namespace stillframe::naming {

// A frame as a mapping knows it.
struct NamedFrame {
  std::string class_name;
  std::string method_name;
  std::string source_file;
  int32_t line = 0;  // as model::Frame::line
};

struct Retraced {
  // Innermost first. Empty for a frame of the compiler's own: a synthesized method or an outline.
  std::vector<NamedFrame> frames;
  // The frame's code belongs to its caller, which says by this line where it stood.
  bool is_outline = false;
};

// A frame as the runtime named it.
struct ObfuscatedFrame {
  std::string_view class_name;
  std::string_view method_name;
  std::string_view descriptor;  // "(La/b;)V", empty when not known
  std::string_view source_file;
  int32_t line;
};

// `outline_line` is where the outline that this frame called stood. Nothing if the mapping does not
// know the frame's class.
std::optional<Retraced> Retrace(const Mapping& mapping, const ObfuscatedFrame& frame,
                                std::optional<int32_t> outline_line);

// "com.foo.Bar" for "a.b"; the name itself if the mapping does not know it.
std::string OriginalClass(const Mapping& mapping, std::string_view obfuscated);

// "(int,java.lang.String)void" of "(ILa/b;)V", with original names. Empty for what is not a
// descriptor.
std::string OriginalSignature(const Mapping& mapping, std::string_view descriptor);

}  // namespace stillframe::naming
