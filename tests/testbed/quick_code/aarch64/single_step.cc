// SPDX-License-Identifier: Apache-2.0
// Steps by breakpoints at whatever may run next, because programs cannot set a trap flag. A fault
// that the runtime turns into an exception goes elsewhere: the next breakpoint is where its handler
// returns to.
// Source: Arm Architecture Reference Manual, C4.1 (encodings), B2.9 (exclusive accesses).
// Another thread that meets a breakpoint runs the replaced instruction elsewhere.
#include "tests/testbed/quick_code/single_step.h"

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "arch/aarch64/code_flow.h"
#include "arch/arch.h"
#include "src/os/signal_action.h"

namespace testbed::quick_code {
namespace {

namespace arch = stillframe::arch;

constexpr uint32_t kBreakpoint = 0xd4200000;  // brk 0
constexpr uint32_t kInstructionBytes = 4;
constexpr uint32_t kMaxExclusive = 16;  // instructions from an exclusive load to its store
constexpr uintptr_t kPageBytes = 4096;
constexpr uint32_t kPages = 1U << 14;

struct Breakpoint {
  uintptr_t at;
  uint32_t instruction;
};

// The one thread that steps, and what it needs in handlers.
struct Stepped {
  pid_t thread = 0;
  Breakpoint breakpoints[4] = {};
  uint32_t count = 0;
  uintptr_t pages[kPages] = {};  // that can be written, hashed
  struct sigaction before = {};  // of SIGSEGV
  bool is_in_handler = false;
};
Stepped g_stepped;

uint32_t InstructionAt(uintptr_t at) {
  uint32_t instruction = 0;
  memcpy(&instruction, reinterpret_cast<const void*>(at), sizeof instruction);
  return instruction;
}

void WriteInstruction(uintptr_t at, uint32_t instruction) {
  auto* const place = reinterpret_cast<char*>(at);
  memcpy(place, &instruction, sizeof instruction);
  __builtin___clear_cache(place, place + sizeof instruction);
}

bool MakeWritable(uintptr_t at) {
  const uintptr_t page = at / kPageBytes * kPageBytes;
  uint32_t i = static_cast<uint32_t>(page / kPageBytes) % kPages;
  while (g_stepped.pages[i] != 0 && g_stepped.pages[i] != page) i = (i + 1) % kPages;
  if (g_stepped.pages[i] == page) return true;
  if (mprotect(reinterpret_cast<void*>(page), kPageBytes, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
    return false;
  g_stepped.pages[i] = page;
  return true;
}

bool Break(uintptr_t at) {
  if (at % kInstructionBytes != 0 || !MakeWritable(at)) return false;
  if (InstructionAt(at) == kBreakpoint) return true;
  g_stepped.breakpoints[g_stepped.count++] = {at, InstructionAt(at)};
  WriteInstruction(at, kBreakpoint);
  return true;
}

void RemoveBreakpoints() {
  while (g_stepped.count > 0) {
    const Breakpoint& breakpoint = g_stepped.breakpoints[--g_stepped.count];
    WriteInstruction(breakpoint.at, breakpoint.instruction);
  }
}

// Compare and swap of a pair has the encoding of an exclusive pair of less than 32 bits.
bool IsExclusiveLoad(uint32_t code) {
  return (code & 0x3fc00000) == 0x08400000 && (code & 0x80200000) != 0x00200000;
}

bool IsExclusiveStore(uint32_t code) {
  return (code & 0x3fc00000) == 0x08000000 && (code & 0x80200000) != 0x00200000;
}

// br, blr, ret, also with authentication; eret is none.
bool IsBranchToRegister(uint32_t code) {
  return (code & 0xfe000000) == 0xd6000000 && (code >> 21 & 15) != 4;
}

uintptr_t Target(uintptr_t pc, uint32_t code, uint32_t from, uint32_t bits) {
  return pc + static_cast<uintptr_t>(arch::BranchOffset(code, from, bits));
}

// Where the conditional branch goes; 0: it is none.
uintptr_t ConditionalTarget(uintptr_t pc, uint32_t code) {
  if ((code & 0xff000000) == 0x54000000 || (code & 0x7e000000) == 0x34000000)
    return Target(pc, code, 5, 19);
  return (code & 0x7e000000) == 0x36000000 ? Target(pc, code, 5, 14) : 0;
}

// A breakpoint inside an exclusive sequence would end it each time: it is stepped over as one.
bool BreakBehindExclusive(uintptr_t pc) {
  for (uint32_t i = 1; i < kMaxExclusive; ++i) {
    const uintptr_t at = pc + i * kInstructionBytes;
    const uint32_t code = InstructionAt(at);
    if (IsExclusiveStore(code)) return Break(at + kInstructionBytes);
    const uintptr_t target = ConditionalTarget(at, code);
    if (target > at && (g_stepped.count == 3 || !Break(target))) return false;
  }
  return false;
}

bool BreakBehind(const ucontext_t& context) {
  const uintptr_t pc = context.uc_mcontext.pc;
  const uint32_t code = InstructionAt(pc);
  if (IsExclusiveLoad(code) && BreakBehindExclusive(pc)) return true;
  if ((code & 0x7c000000) == 0x14000000) return Break(Target(pc, code, 0, 26));
  if (IsBranchToRegister(code)) {
    const uint32_t number = code >> 5 & 31;
    return Break(arch::CodeAddress(context.uc_mcontext.regs[number == 31 ? 30 : number]));
  }
  const uintptr_t target = ConditionalTarget(pc, code);
  return (target == 0 || Break(target)) && Break(pc + kInstructionBytes);
}

// As after a call: code that cannot be written, such as the vdso's, is not stepped.
void BreakAtReturn(const ucontext_t& context) {
  if (Break(arch::CodeAddress(context.uc_mcontext.regs[30]))) return;
  fprintf(stderr, "single step: lost at %llx\n",
          static_cast<unsigned long long>(context.uc_mcontext.pc));
  abort();
}

// Instructions that other threads run elsewhere, each with a breakpoint behind it.
struct Elsewhere {
  uint32_t instruction;
  uint32_t breakpoint;
  uintptr_t from;
};
constexpr uint32_t kElsewhere = kPageBytes / sizeof(Elsewhere);
Elsewhere* g_elsewhere = nullptr;

// Branches, and loads and addresses that are relative to the pc.
bool DependsOnPc(uint32_t code) {
  return (code & 0x1f000000) == 0x10000000 || (code & 0x1c000000) == 0x14000000 ||
         (code & 0x3b000000) == 0x18000000;
}

void PassBreakpoint(ucontext_t* context) {
  const uintptr_t pc = context->uc_mcontext.pc;
  const uintptr_t offset = pc - reinterpret_cast<uintptr_t>(g_elsewhere);
  if (offset < kPageBytes) {
    context->uc_mcontext.pc = g_elsewhere[offset / sizeof(Elsewhere)].from + kInstructionBytes;
    return;
  }
  for (const Breakpoint& breakpoint : g_stepped.breakpoints) {
    if (breakpoint.at != pc || InstructionAt(pc) != kBreakpoint) continue;
    if (DependsOnPc(breakpoint.instruction)) break;
    Elsewhere* const place = &g_elsewhere[static_cast<uint32_t>(gettid()) % kElsewhere];
    place->from = pc;
    WriteInstruction(reinterpret_cast<uintptr_t>(&place->instruction), breakpoint.instruction);
    context->uc_mcontext.pc = reinterpret_cast<uintptr_t>(&place->instruction);
    return;
  }
  sched_yield();
}

bool IsStepped() { return gettid() == g_stepped.thread; }

void OnFault(int signal, siginfo_t* info, void* context) {
  const bool is_program = IsStepped() && !g_stepped.is_in_handler && g_stepped.count > 0;
  if (is_program) RemoveBreakpoints();
  g_stepped.before.sa_sigaction(signal, info, context);
  const auto& machine = *static_cast<const ucontext_t*>(context);
  if (is_program && !Break(machine.uc_mcontext.pc)) BreakAtReturn(machine);
}

}  // namespace

void SingleStep::Start() {
  g_stepped.thread = gettid();
  if (g_elsewhere == nullptr) {
    void* const page = mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    g_elsewhere = static_cast<Elsewhere*>(page);
    for (uint32_t i = 0; i < kElsewhere; ++i) g_elsewhere[i].breakpoint = kBreakpoint;
  }
  struct sigaction now = {};
  const auto kernel_sigaction = stillframe::os::KernelSigaction();
  kernel_sigaction(SIGSEGV, nullptr, &now);
  if (now.sa_sigaction != OnFault) {
    g_stepped.before = now;
    now.sa_sigaction = OnFault;
    kernel_sigaction(SIGSEGV, &now, nullptr);
  }
  syscall(SYS_tgkill, getpid(), gettid(), SIGTRAP);
}

bool SingleStep::BeforeWalk(ucontext_t* context) {
  if (!IsStepped()) {
    PassBreakpoint(context);
    return false;
  }
  g_stepped.is_in_handler = true;
  RemoveBreakpoints();
  return true;
}

void SingleStep::GoOn(ucontext_t* context) {
  if (!BreakBehind(*context)) {
    RemoveBreakpoints();
    BreakAtReturn(*context);
  }
  g_stepped.is_in_handler = false;
}

void SingleStep::End(ucontext_t* context) {
  if (!BeforeWalk(context)) return;
  g_stepped.is_in_handler = false;
}

uintptr_t ReturnAddressOf(const ucontext_t& context) {
  return arch::CodeAddress(context.uc_mcontext.regs[30]);
}

uint64_t FirstArgumentOf(const ucontext_t& context) { return context.uc_mcontext.regs[0]; }

// A read barrier of compiled code sets a return address too, before it may branch to its thunk.
bool IsCallTarget(const ucontext_t& context, uintptr_t previous_pc, uintptr_t) {
  const uintptr_t behind = previous_pc + kInstructionBytes;
  uint32_t before = 0;
  return ReturnAddressOf(context) == behind && context.uc_mcontext.pc != behind &&
         arch::GuardedLoad32(previous_pc, &before) && ConditionalTarget(previous_pc, before) == 0;
}

// ART 14 runtime/interpreter/mterp/arm64ng/main.S: xIBASE
uintptr_t NterpHandlersOf(const ucontext_t& context) { return context.uc_mcontext.regs[24]; }

}  // namespace testbed::quick_code
