// SPDX-License-Identifier: Apache-2.0
// Runs the line number program of one method.
#include "src/art/dex_line_program.h"

#include "src/unwind/byte_cursor.h"

namespace stillframe::art {
namespace {

constexpr uint32_t kMaxProgramBytes = 1U << 20;

// Opcodes of the debug_info_item state machine.
enum Opcode : uint8_t {
  kEndSequence = 0x00,
  kAdvancePc = 0x01,
  kAdvanceLine = 0x02,
  kStartLocal = 0x03,
  kStartLocalExtended = 0x04,
  kEndLocal = 0x05,
  kRestartLocal = 0x06,
  kSetPrologueEnd = 0x07,
  kSetEpilogueBegin = 0x08,
  kSetFile = 0x09,
  kFirstSpecial = 0x0a,
};
constexpr int32_t kLineBase = -4;
constexpr int32_t kLineRange = 15;

void SkipNumbers(unwind::ByteCursor* bytes, int count) {
  for (int i = 0; i < count; ++i) bytes->Uleb();
}

}  // namespace

int32_t LineFromProgram(uintptr_t debug_info, uint32_t dex_pc) {
  unwind::ByteCursor bytes(debug_info, debug_info + kMaxProgramBytes);
  auto line = static_cast<int64_t>(static_cast<uint32_t>(bytes.Uleb()));
  const uint64_t parameters = bytes.Uleb();
  for (uint64_t i = 0; i < parameters && bytes.ok(); ++i) bytes.Uleb();
  uint64_t address = 0;
  int32_t found = -1;
  while (bytes.ok()) {
    const uint8_t opcode = bytes.U8();
    switch (opcode) {
      case kEndSequence: return bytes.ok() ? found : -1;  // a fault reads as 0
      case kAdvancePc: address += bytes.Uleb(); break;
      case kAdvanceLine: line += static_cast<int32_t>(bytes.Sleb()); break;
      case kStartLocal: SkipNumbers(&bytes, 3); break;
      case kStartLocalExtended: SkipNumbers(&bytes, 4); break;
      case kEndLocal:
      case kRestartLocal:
      case kSetFile: SkipNumbers(&bytes, 1); break;
      case kSetPrologueEnd:
      case kSetEpilogueBegin: break;
      default: {
        const int32_t adjusted = opcode - kFirstSpecial;
        address += static_cast<uint64_t>(adjusted / kLineRange);
        line += kLineBase + adjusted % kLineRange;
        if (address > dex_pc) return found;
        found = static_cast<int32_t>(line);
      }
    }
  }
  return -1;
}

}  // namespace stillframe::art
