// SPDX-License-Identifier: Apache-2.0
#include "src/art/oat_version.h"

#include "arch/arch.h"
#include "src/elf/loaded_library.h"

namespace stillframe::art {

uint32_t ReadOatVersion(uintptr_t address) {
  constexpr uint32_t kOatMagic = 0x0a74616f;  // "oat\n"
  uint32_t magic = 0;
  if (address == 0 || !arch::GuardedLoad32(address, &magic) || magic != kOatMagic) return 0;
  uint32_t version = 0;
  for (uint32_t i = 0; i < 3; ++i) {
    uint8_t digit = 0;
    if (!arch::GuardedLoad8(address + 4 + i, &digit) || digit < '0' || digit > '9') return 0;
    version = version * 10 + (digit - uint32_t{'0'});
  }
  return version;
}

uint32_t FindOatVersion() {
  // Also matches ...@boot.oat, the file's name in a dalvik-cache.
  return ReadOatVersion(elf::FindLoadedSymbol("boot.oat", "oatdata", elf::SymbolKind::kData));
}

}  // namespace stillframe::art
