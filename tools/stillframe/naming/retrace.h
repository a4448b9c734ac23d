// SPDX-License-Identifier: Apache-2.0
// Maps an obfuscated frame to its original frames, as R8's retrace does. If several remain possible
// after the descriptor is checked, one frame names them all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/stillframe/naming/mapping_reader.h"

namespace stillframe::naming {

// A frame as the mapping names it.
struct NamedFrame {
  std::string class_name;
  std::string method_name;
  std::string source_file;
  int32_t line = 0;  // same as model::Frame::line
};

struct Retraced {
  // Innermost first. Empty for compiler-generated frames: a synthesized method or an outline.
  std::vector<NamedFrame> frames;
  // The frame is an outline, whose code belongs to its caller. Retrace the caller with
  // `outline_line`.
  bool is_outline = false;
  // The line in the outline: this frame's, or that which its own outline replaced.
  int32_t outline_line = 0;
  // The method that the runtime knows is compiler-generated: the frames are of inlined methods.
  bool drops_outermost = false;
};

// A frame as the runtime named it.
struct ObfuscatedFrame {
  std::string_view class_name;
  std::string_view method_name;
  std::string_view descriptor;  // "(La/b;)V"; empty: unknown
  std::string_view source_file;
  int32_t line;
};

// `outline_line`: the line in the outline that this frame called. Nothing if the mapping does not
// know the frame's class.
std::optional<Retraced> Retrace(const Mapping& mapping, const ObfuscatedFrame& frame,
                                std::optional<int32_t> outline_line);

// "com.foo.Bar" for "a.b"; unchanged if the mapping does not know it.
std::string OriginalClass(const Mapping& mapping, std::string_view obfuscated);

// "(int,java.lang.String)void" for "(ILa/b;)V", with original names. Empty if it is not a
// descriptor.
std::string OriginalSignature(const Mapping& mapping, std::string_view descriptor);

}  // namespace stillframe::naming
