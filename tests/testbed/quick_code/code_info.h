// SPDX-License-Identifier: Apache-2.0
// Encodes art::CodeInfo, ART's description of a compiled method: frame size, spilled registers, and
// for each safepoint its dex pc and the methods inlined there. Independent of the CPU.
//
// Sources: runtime/stack_map.h, libartbase/base/{bit_table,bit_memory_region}.h and
// compiler/optimizing/stack_map_stream.cc of ART 10.0.0_r36, 11.0.0_r48 and 14.0.0_r15. Dex
// registers are not described: the methods here hold no references and are never deoptimized.
// Context: any thread
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace testbed::quick_code {

// A method that the compiler put into another one. As compiled ahead of time it goes by its index
// in the dex file, as compiled just in time by its ArtMethod*.
struct InlinedMethod {
  uint64_t art_method = 0;
  uint32_t method_index = 0;
  bool is_by_index = false;
  uint32_t dex_pc = 0;
  // From 13 on: the boot class path's dex file of this number is meant.
  std::optional<uint32_t> boot_dex_file = std::nullopt;
};

struct Safepoint {
  uint32_t native_pc = 0;              // offset of the instruction after the call
  uint32_t dex_pc = 0;                 // in the compiled method itself
  std::vector<InlinedMethod> inlined;  // outermost first
};

struct CodeDescription {
  uint32_t code_bytes = 0;
  uint32_t frame_bytes = 0;  // with the return address; 0 for a leaf without a frame
  uint32_t core_spills = 0;  // one bit a register, ART's numbering
  uint32_t fp_spills = 0;
  uint32_t dex_registers = 0;
  uint32_t instruction_bytes = 1;          // 4 on arm64: safepoints are counted in instructions
  std::vector<Safepoint> safepoints = {};  // by native_pc
};

// `release` is 10, 11 or 14.
std::vector<uint8_t> EncodeCodeInfo(int release, const CodeDescription& description);

}  // namespace testbed::quick_code
