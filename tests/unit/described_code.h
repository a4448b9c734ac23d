// SPDX-License-Identifier: Apache-2.0
// A library of one function, with call frame information that a test writes by hand, for aarch64.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "src/unwind/code_modules.h"

namespace stillframe {

// Instructions that linkers, compilers and ART's assembler write. Source: Arm Architecture
// Reference Manual, C6.2.
constexpr uint32_t kBtiC = 0xd503245f;
constexpr uint32_t kPaciasp = 0xd503233f;
constexpr uint32_t kAutiasp = 0xd50323bf;
constexpr uint32_t kAutia1716 = 0xd503219f;
constexpr uint32_t kBlrX0 = 0xd63f0000;
// The load of ART's implicit suspend checks: ldr x21, [x21] (ART 14
// runtime/arch/arm64/fault_handler_arm64.cc, SuspensionHandler::Action).
constexpr uint32_t kSuspendCheck = 0xf94002b5;

struct DescribedCode {
  // `program`: of the FDE. At the function's begin the CFA is the stack pointer, and the return
  // address is in x30.
  DescribedCode(const std::vector<uint32_t>& instructions, const std::vector<uint8_t>& program) {
    std::copy(instructions.begin(), instructions.end(), code);
    std::copy(program.begin(), program.end(), fde.program);
    const auto at = [](const void* place) { return reinterpret_cast<uintptr_t>(place); };
    fde.cie_distance = static_cast<uint32_t>(at(&fde.cie_distance) - at(&cie));
    fde.code = static_cast<int32_t>(at(code) - at(&fde.code));
    header.code = static_cast<int32_t>(at(code) - at(&header));
    header.description = static_cast<int32_t>(at(&fde) - at(&header));
    module = {at(code), at(code) + sizeof code, 0, 0, 0, 0, sizeof code};
    EXPECT_TRUE(unwind::ReadFrameIndex(at(&header), &module));
  }
  DescribedCode(const DescribedCode&) = delete;
  DescribedCode& operator=(const DescribedCode&) = delete;

  uintptr_t At(uint32_t instruction) const {
    return reinterpret_cast<uintptr_t>(code + instruction);
  }

  alignas(16) uint32_t code[32] = {};
  struct [[gnu::packed]] {
    uint32_t length = 20;
    uint32_t id = 0;
    uint8_t version = 1;
    char augmentation[4] = {'z', 'R', 'B', 0};  // B: clang's mark of signed return addresses
    uint8_t rest[11] = {4,    0x78, 30,         // alignments of code and data, the return address
                        1,    0x1b,             // relative to here
                        0x0c, 31,   0};         // DW_CFA_def_cfa: sp + 0
  } cie;
  struct [[gnu::packed]] {
    uint32_t length = 45;
    uint32_t cie_distance = 0;
    int32_t code = 0;
    uint32_t code_bytes = sizeof DescribedCode::code;
    uint8_t augmentation_bytes = 0;
    uint8_t program[32] = {};
  } fde;
  struct [[gnu::packed]] {
    uint8_t encodings[4] = {1, 0x1b, 3, 0x3b};
    uint32_t frames = 0;
    uint32_t rows = 1;
    int32_t code = 0;
    int32_t description = 0;
  } header;
  unwind::CodeModule module = {};
};

}  // namespace stillframe
