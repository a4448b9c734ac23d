// SPDX-License-Identifier: Apache-2.0
// Steps by breakpoints, because programs cannot set a trap flag, and qemu-user has none. All
// instructions of the compiled methods except the running one are breakpoints, so each traps on any
// path.
// Remaining risk: an instruction that jumps to itself does not trap.
#include "tests/testbed/quick_code/single_step.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace testbed::quick_code {
namespace {

constexpr uint32_t kBreakpoint = 0xd4200000;  // brk 0
constexpr uint32_t kInstructionBytes = 4;

}  // namespace

bool SingleStep::SeesAllCode() { return false; }

void SingleStep::AddCode(uintptr_t begin, uintptr_t end) {
  std::vector<uint32_t> instructions((end - begin) / kInstructionBytes);
  memcpy(instructions.data(), reinterpret_cast<const void*>(begin), end - begin);
  codes_.push_back({begin, std::move(instructions)});
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t first = begin / page * page;
  mprotect(reinterpret_cast<void*>(first), end - first, PROT_READ | PROT_WRITE | PROT_EXEC);
}

void SingleStep::Write(bool traps, uintptr_t but) {
  for (const Code& code : codes_) {
    auto* const begin = reinterpret_cast<char*>(code.begin);
    for (size_t i = 0; i < code.instructions.size(); ++i) {
      char* const at = begin + i * kInstructionBytes;
      const bool is_trap = traps && reinterpret_cast<uintptr_t>(at) != but;
      const uint32_t instruction = is_trap ? kBreakpoint : code.instructions[i];
      memcpy(at, &instruction, sizeof instruction);
    }
    __builtin___clear_cache(begin, begin + code.instructions.size() * kInstructionBytes);
  }
}

void SingleStep::Start() { Write(true, 0); }

void SingleStep::Stop() { Write(false, 0); }

void SingleStep::BeforeWalk() { Write(false, 0); }

void SingleStep::GoOn(ucontext_t* context) { Write(true, context->uc_mcontext.pc); }

void SingleStep::End(ucontext_t*) { Write(false, 0); }

uintptr_t ReturnAddressOf(const ucontext_t& context) { return context.uc_mcontext.regs[30]; }

uint64_t FirstArgumentOf(const ucontext_t& context) { return context.uc_mcontext.regs[0]; }

bool IsCallTarget(const ucontext_t& context, uintptr_t previous_pc, uintptr_t) {
  return ReturnAddressOf(context) == previous_pc + kInstructionBytes;
}

// ART 14 runtime/interpreter/mterp/arm64ng/main.S: xIBASE
uintptr_t NterpHandlersOf(const ucontext_t& context) { return context.uc_mcontext.regs[24]; }

}  // namespace testbed::quick_code
