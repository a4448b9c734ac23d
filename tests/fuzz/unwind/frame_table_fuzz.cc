// SPDX-License-Identifier: Apache-2.0
// Drives the readers of .eh_frame_hdr and .eh_frame with any bytes, at the code that they say they
// describe, and steps by what they say over a stack of the same bytes. Reads end at the page
// behind.
#include <signal.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "src/core/guarded_memory.h"
#include "src/unwind/code_modules.h"
#include "src/unwind/frame_description.h"
#include "src/unwind/frame_rules.h"
#include "src/unwind/native_step.h"

extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "handle_segv=0:handle_sigbus=0"; }
extern "C" int LLVMFuzzerInitialize(int*, char***);

namespace stillframe::unwind {
namespace {

constexpr size_t kBytes = 16384;
constexpr size_t kPage = 4096;
constexpr uint32_t kRows = 64;
constexpr int kMostSteps = 64;
constexpr uintptr_t kReach = 1U << 30;

uint8_t* g_table = nullptr;
CodeModule g_module = {};
CodeModules& Modules() {
  static CodeModules modules;  // large
  return modules;
}

void Step(uintptr_t pc) {
  FrameDescription description = {};
  FrameRules rules = {};
  if (FindFrameDescription(g_module, pc, &description)) {
    if (pc < description.code_begin || pc >= description.code_end) std::abort();
    static_cast<void>(RulesAt(description, pc, &rules));
  }
  arch::UnwindRegisters registers = {};
  for (uintptr_t& value : registers.values) value = reinterpret_cast<uintptr_t>(g_table);
  registers.values[arch::kDwarfPc] = pc;
  for (int i = 0; i < kMostSteps; ++i)
    if (!StepNativeFrame(Modules(), i > 0, &registers)) break;
}

}  // namespace
}  // namespace stillframe::unwind

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  using namespace stillframe::unwind;
  if (stillframe::core::InstallFaultRecovery(sigaction) != 0) std::abort();
  void* memory =
      mmap(nullptr, kBytes + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || !stillframe::core::RecoveryWorks()) std::abort();
  g_table = static_cast<uint8_t*>(memory);
  mprotect(g_table + kBytes, kPage, PROT_NONE);
  const auto at = reinterpret_cast<uintptr_t>(g_table);
  g_module = {at - kReach, at + kReach, at, 0, kRows, 0};
  Modules().Add(g_module);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace stillframe::unwind;
  size = std::min(size, kBytes);
  memcpy(g_table, data, size);
  memset(g_table + size, 0, kBytes - size);
  for (uint32_t row = 0; row < kRows; ++row) {
    int32_t relative = 0;
    memcpy(&relative, g_table + 12 + row * 8, sizeof relative);
    const uintptr_t code = g_module.header + static_cast<uintptr_t>(intptr_t{relative});
    for (const uintptr_t pc : {code, code + 1, code + 17}) Step(pc);
  }
  return 0;
}
