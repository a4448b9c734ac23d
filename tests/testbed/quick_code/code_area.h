// SPDX-License-Identifier: Apache-2.0
// Executable memory for compiled methods, each laid out as ART expects it: CodeInfo, header, code.
//
// Sources: runtime/oat_quick_method_header.h of ART 10.0.0_r36, 11.0.0_r48 and 14.0.0_r15; the
// alignment of code is that of runtime/arch/instruction_set.h.
// Context: any thread
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/testbed/quick_code/code_info.h"

namespace testbed::quick_code {

class CodeArea {
 public:
  explicit CodeArea(size_t bytes);

  CodeArea(const CodeArea&) = delete;
  CodeArea& operator=(const CodeArea&) = delete;

  // False when the system refuses such memory.
  bool IsOpen() const { return memory_ != nullptr; }

  // Returns the method's entry point; 0 when the area is full. The area is never given back: ART
  // may hold its addresses.
  uintptr_t Place(int release, const CodeDescription& description,
                  const std::vector<uint8_t>& code);

  // Takes the right to write away.
  bool Seal();

  uintptr_t begin() const { return reinterpret_cast<uintptr_t>(memory_); }
  uintptr_t end() const { return begin() + bytes_; }

 private:
  uint8_t* memory_ = nullptr;
  size_t bytes_;
  size_t used_ = 0;
};

}  // namespace testbed::quick_code
