// SPDX-License-Identifier: Apache-2.0
#include "src/native/native_part.h"

#include <stdlib.h>

#include "arch/arch.h"
#include "src/os/file_text.h"
#include "src/unwind/native_step.h"
#include "src/walk/fragment.h"

namespace stillframe::native {
namespace {

using arch::UnwindRegisters;

// Unknown registers point here. A step through one finds return addresses at once, and does not
// search elsewhere. Written by the collector only.
constexpr size_t kBaitWords = 512;
uintptr_t g_bait[kBaitWords];

bool IsBait(uintptr_t address) {
  return address - reinterpret_cast<uintptr_t>(g_bait) < sizeof g_bait;
}

[[gnu::noinline]] void FillBait() {
  const auto return_address = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  for (uintptr_t& word : g_bait) word = return_address;
}

bool ReadKernelText(int32_t tid, std::string* text) {
  constexpr size_t kMaxBytes = 256;
  const std::string path = "/proc/self/task/" + std::to_string(tid) + "/syscall";
  return os::ReadFileText(path.c_str(), kMaxBytes, text) == 0;
}

}  // namespace

UnwindRegisters RegistersAt(const KernelEntry& entry) {
  if (g_bait[0] == 0) FillBait();
  UnwindRegisters registers;
  for (uintptr_t& value : registers.values)
    value = reinterpret_cast<uintptr_t>(g_bait + kBaitWords / 2);
  registers.values[arch::kDwarfPc] = entry.pc;
  registers.values[arch::kDwarfSp] = entry.sp;
  return registers;
}

// "running", "-1 sp pc" outside system calls, or number, six arguments, sp, pc.
bool ParseKernelEntry(const std::string& text, KernelEntry* entry) {
  const size_t pc = text.rfind(" 0x");
  if (pc == std::string::npos || pc == 0) return false;
  const size_t sp = text.rfind(" 0x", pc - 1);
  if (sp == std::string::npos) return false;
  char* end = nullptr;
  entry->pc = static_cast<uintptr_t>(strtoull(text.c_str() + pc, &end, 16));
  if (*end != '\n' && *end != '\0') return false;
  entry->sp = static_cast<uintptr_t>(strtoull(text.c_str() + sp, &end, 16));
  return end == text.c_str() + pc && entry->pc != 0 && entry->sp != 0;
}

uintptr_t InnermostManagedFrame(const walk::RuntimeFacts& facts, uintptr_t thread) {
  constexpr int kMaxEmptyFragments = 16;
  uintptr_t address = thread + facts.managed_stack;
  for (int i = 0; i < kMaxEmptyFragments && address != 0; ++i) {
    walk::Fragment fragment;
    if (!walk::LoadFragment(*facts.layout, address, &fragment)) return 0;
    if (fragment.shadow_frame != 0) return fragment.shadow_frame;
    const uintptr_t frame = fragment.tagged_quick_frame & ~facts.layout->quick_frame_tag_mask;
    if (frame != 0) return frame;
    address = fragment.link;
  }
  return 0;
}

NativePart WalkNativePart(const walk::RuntimeFacts& facts, const KernelEntry& entry,
                          uintptr_t managed_frame) {
  NativePart part;
  UnwindRegisters registers = RegistersAt(entry);
  for (bool is_call = false;; is_call = true) {
    const uintptr_t pc = registers.pc() - (is_call ? 1 : 0);
    // Code outside libraries is a method's, or that of a stub on the path to one.
    if (!facts.modules->Holds(pc)) {
      part.is_truncated = !is_call;
      return part;
    }
    const uintptr_t sp = registers.sp();
    const bool goes_on = unwind::StepNativeFrame(*facts.modules, is_call, &registers);
    const bool is_bait = IsBait(registers.sp());
    const bool is_on_stack = registers.sp() >= sp && registers.sp() < facts.stack_high;
    if (goes_on && !is_bait && is_on_stack && managed_frame != 0 && registers.sp() > managed_frame)
      return part;  // the runtime's path from managed to native code
    part.pcs.push_back(pc);
    if (!goes_on || is_bait || !is_on_stack || part.pcs.size() == NativePart::kMaxFrames) {
      part.is_truncated = managed_frame != 0 || goes_on;
      return part;
    }
  }
}

KernelPlace ReadKernelEntry(int32_t tid, KernelEntry* entry) {
  std::string text;
  if (!ReadKernelText(tid, &text)) return KernelPlace::kUnknown;
  if (ParseKernelEntry(text, entry)) return KernelPlace::kKnown;
  return text.starts_with("running") ? KernelPlace::kReady : KernelPlace::kUnknown;
}

NativePart ReadNativePart(const walk::RuntimeFacts& facts, int32_t tid, uintptr_t thread) {
  NativePart none;
  std::string text;
  KernelEntry entry;
  if (!ReadKernelText(tid, &text))
    none.absent = "the kernel does not report its registers";
  else if (!ParseKernelEntry(text, &entry))
    none.absent = "it was about to run";
  else if (entry.sp < facts.stack_low || entry.sp >= facts.stack_high)
    none.absent = "it is on another stack than its own";
  else
    return WalkNativePart(facts, entry, InnermostManagedFrame(facts, thread));
  return none;
}

}  // namespace stillframe::native
