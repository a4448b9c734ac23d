// SPDX-License-Identifier: Apache-2.0
// Runs the line number program of one method.
#include "src/art/dex_line_program.h"

#include "arch/arch.h"

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

// Reads bytes and LEB128 numbers; after a fault every read gives 0 and ok() is false.
class Bytes {
 public:
  explicit Bytes(uintptr_t at) : at_(at) {}

  bool ok() const { return ok_; }

  uint8_t Byte() {
    uint8_t byte = 0;
    if (read_ == kMaxProgramBytes || !arch::GuardedLoad8(at_ + read_, &byte)) {
      ok_ = false;
      return 0;
    }
    ++read_;
    return byte;
  }

  uint32_t Unsigned() {
    uint32_t value = 0;
    for (uint32_t shift = 0; shift < 35; shift += 7) {
      const uint8_t byte = Byte();
      value |= static_cast<uint32_t>(byte & 0x7fU) << (shift < 32 ? shift : 31);
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }

  int32_t Signed() {
    uint32_t value = 0;
    for (uint32_t shift = 0; shift < 32; shift += 7) {
      const uint8_t byte = Byte();
      value |= static_cast<uint32_t>(byte & 0x7fU) << shift;
      if ((byte & 0x80) == 0) {
        if ((byte & 0x40) != 0 && shift + 7 < 32) value |= ~uint32_t{0} << (shift + 7);
        break;
      }
    }
    return static_cast<int32_t>(value);
  }

 private:
  uintptr_t at_;
  uintptr_t read_ = 0;
  bool ok_ = true;
};

void SkipNumbers(Bytes* bytes, int count) {
  for (int i = 0; i < count; ++i) bytes->Unsigned();
}

}  // namespace

int32_t LineFromProgram(uintptr_t debug_info, uint32_t dex_pc) {
  Bytes bytes(debug_info);
  auto line = static_cast<int64_t>(bytes.Unsigned());
  const uint32_t parameters = bytes.Unsigned();
  for (uint32_t i = 0; i < parameters && bytes.ok(); ++i) bytes.Unsigned();
  uint64_t address = 0;
  int32_t found = -1;
  while (bytes.ok()) {
    const uint8_t opcode = bytes.Byte();
    switch (opcode) {
      case kEndSequence: return bytes.ok() ? found : -1;  // a fault reads as 0
      case kAdvancePc: address += bytes.Unsigned(); break;
      case kAdvanceLine: line += bytes.Signed(); break;
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
