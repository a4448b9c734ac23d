// SPDX-License-Identifier: Apache-2.0
// CodeInfo and code of a compiled method from any bytes: parsing ends, and no read leaves them.
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "src/core/guarded_memory.h"
#include "src/names/inlined_code.h"
#include "src/os/signal_action.h"

using namespace stillframe;

namespace {

constexpr size_t kHead = 4;  // how long CodeInfo is, which release, a place

uint8_t SomeOpcode(void*, const names::InlinedInstance&, uint32_t dex_pc) {
  return static_cast<uint8_t>(dex_pc);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const bool recovers = core::InstallFaultRecovery(os::KernelSigaction()) == 0;
  if (!recovers || size < kHead) return 0;
  const walk::LayoutTable table = walk::KnownLayouts();
  const walk::Layout& layout = table.rows[data[2] % table.count];
  const size_t info_bytes = (size_t{data[0]} | size_t{data[1]} << 8) % (size - kHead + 1);
  const std::vector<uint8_t> info(data + kHead, data + kHead + info_bytes);
  const std::vector<uint8_t> bytes(data + kHead + info_bytes, data + size);
  walk::CompiledCode code = {};
  code.begin = reinterpret_cast<uintptr_t>(bytes.data());
  code.bytes = static_cast<uint32_t>(bytes.size());
  code.frame_bytes = 32;
  code.info = reinterpret_cast<uintptr_t>(info.data());
  names::MachineCode copy;
  names::InlinedCode inlined;
  if (!copy.Copy(code) || !inlined.Read(layout, code, 16, std::move(copy)) ||
      !inlined.FindMarks(SomeOpcode, nullptr))
    return 0;
  walk::CompiledFrame frames[walk::kMaxInlined + 1];
  const names::InlinedPlace place = inlined.At(data[3]);
  inlined.Methods(place.instance, place.dex_pc, frames);
  inlined.IsHiddenCall(place.instance, place.dex_pc);
  return 0;
}
