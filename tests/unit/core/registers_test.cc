// SPDX-License-Identifier: Apache-2.0
// The registers of an interrupted context: a fault at a known place with known values in the
// registers that the interpreters keep their dex pc in.
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdint>

#include "arch/arch.h"

namespace stillframe::arch {
namespace {

[[maybe_unused]] constexpr uintptr_t kMterpPc = 0x5afe0;
constexpr uintptr_t kNterpPc = 0x5afe2;

Registers g_registers;
UnwindRegisters g_unwind_registers;
uintptr_t g_fault = 0;
uintptr_t g_resume = 0;

void OnFault(int, siginfo_t*, void* context) {
  auto* machine = static_cast<ucontext_t*>(context);
  g_fault = ProgramCounter(*machine);
  g_registers = RegistersOf(*machine);
  FillUnwindRegisters(*machine, &g_unwind_registers);
  g_registers.context = nullptr;
  SetProgramCounter(machine, g_resume);
}

// Sets the registers, stores the addresses of the fault and of the recovery, and loads from address
// 0.
#if defined(__x86_64__)
#define SF_FAULT                             \
  "lea 1f(%%rip), %%rax\n mov %%rax, (%0)\n" \
  "lea 2f(%%rip), %%rax\n mov %%rax, (%1)\n" \
  "mov $0x5afe2, %%r12\n xor %%eax, %%eax\n" \
  "1: mov (%%rax), %%rax\n 2:\n"
#define SF_CLOBBERED "rax", "r12"
constexpr uintptr_t kMterpSeen = kNterpPc;  // both interpreters use the same register
#elif defined(__i386__)
#define SF_FAULT                                       \
  "call 3f\n 3: pop %%eax\n lea 1f-3b(%%eax), %%ecx\n" \
  "mov %%ecx, (%0)\n lea 2f-3b(%%eax), %%ecx\n"        \
  "mov %%ecx, (%1)\n mov $0x5afe2, %%esi\n"            \
  "xor %%eax, %%eax\n 1: mov (%%eax), %%eax\n 2:\n"
#define SF_CLOBBERED "eax", "ecx", "esi"
constexpr uintptr_t kMterpSeen = kNterpPc;
#elif defined(__aarch64__)
#define SF_FAULT                                              \
  "adr x9, 1f\n str x9, [%0]\n adr x9, 2f\n"                  \
  "str x9, [%1]\n mov x20, #0xafe0\n movk x20, #5, lsl #16\n" \
  "mov x22, #0xafe2\n movk x22, #5, lsl #16\n mov x9, #0\n"   \
  "1: ldr x9, [x9]\n 2:\n"
#define SF_CLOBBERED "x9", "x20", "x22"
constexpr uintptr_t kMterpSeen = kMterpPc;
#elif defined(__arm__)
#define SF_FAULT                                                  \
  "adr r12, 1f\n str r12, [%0]\n adr r12, 2f\n"                   \
  "str r12, [%1]\n movw r4, #0xafe0\n movt r4, #5\n"              \
  "push {r11}\n movw r11, #0xafe2\n movt r11, #5\n mov r12, #0\n" \
  ".balign 4\n 1: ldr r12, [r12]\n .balign 4\n 2: pop {r11}\n"
#define SF_CLOBBERED "r4", "r12"
constexpr uintptr_t kMterpSeen = kMterpPc;
#endif

[[gnu::noinline]] void Fault(uintptr_t* fault) {
  asm volatile(SF_FAULT : : "r"(fault), "r"(&g_resume) : SF_CLOBBERED, "memory", "cc");
}

// Calls OnFault for the fault of `function`.
template <typename Function>
void Catch(const Function& function) {
  struct sigaction action = {};
  action.sa_sigaction = OnFault;
  action.sa_flags = SA_SIGINFO;
  struct sigaction before = {};
  ASSERT_EQ(sigaction(SIGSEGV, &action, &before), 0);
  uintptr_t fault = 0;
  function(&fault);
  ASSERT_EQ(sigaction(SIGSEGV, &before, nullptr), 0);
  EXPECT_EQ(g_fault, CodeAddress(fault));
}

TEST(Registers, AreThoseOfTheInterruptedInstruction) {
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  Catch(Fault);

  EXPECT_EQ(g_registers.pc, g_fault);
  EXPECT_EQ(g_registers.mterp_pc, kMterpSeen);
  EXPECT_LT(g_registers.sp, here);
  EXPECT_GT(g_registers.sp, here - 4096);
  EXPECT_EQ(g_unwind_registers.pc(), g_fault);
  EXPECT_EQ(g_unwind_registers.sp(), g_registers.sp);
  EXPECT_EQ(g_unwind_registers.values[kNterpDexPcRegister], kNterpPc);
}

#if defined(__aarch64__) && !defined(__ANDROID__)
// Managed code keeps the thread in x19, whether a collection marks in x20 (ART 11 and 14
// runtime/arch/arm64/asm_support_arm64.S: xSELF, wMR), and from ART 12 on what suspend checks load
// from in x21 (14: xSUSPEND). x18 is the platform's: on Android it points into the shadow call
// stack.
[[gnu::noinline]] void FaultInManagedCode(uintptr_t* fault) {
  asm volatile(
      "adr x9, 1f\n str x9, [%0]\n adr x9, 2f\n str x9, [%1]\n"
      "mov x18, #0x518\n mov x19, #0x519\n mov x20, #0x520\n mov x21, #0\n"
      "1: ldr x21, [x21]\n 2:\n"
      :
      : "r"(fault), "r"(&g_resume)
      : "x9", "x18", "x19", "x20", "x21", "memory");
}

TEST(Registers, OfManagedCodeAreUnderTheirNumbers) {
  Catch(FaultInManagedCode);
  EXPECT_EQ(g_unwind_registers.values[18], 0x518U);
  EXPECT_EQ(g_unwind_registers.values[19], 0x519U);
  EXPECT_EQ(g_unwind_registers.values[20], 0x520U);
  EXPECT_EQ(g_unwind_registers.values[21], 0U);
  EXPECT_EQ(g_registers.mterp_pc, 0x520U) << "mterp has its dex pc there, see RegistersOf";
  ucontext_t stored = {};
  StoreUnwindRegisters(g_unwind_registers, &stored);
  EXPECT_EQ(stored.uc_mcontext.regs[18], 0x518U);
  EXPECT_EQ(stored.uc_mcontext.regs[21], 0U);
}
#endif

#if defined(__arm__) && !defined(__clang__)  // clang has no such attributes
// Managed code is Thumb; it keeps the thread in r9, and whether a collection marks in r8 (ART 11
// and 14 runtime/arch/arm/asm_support_arm.S: rSELF, rMR).
[[gnu::noinline, gnu::target("thumb")]] void FaultInThumb(uintptr_t* fault) {
  asm volatile(
      "adr r12, 1f\n str r12, [%0]\n adr r12, 2f\n str r12, [%1]\n"
      "movw r8, #0x508\n movw r9, #0x509\n mov r12, #0\n"
      ".balign 4\n 1: ldr.w r12, [r12]\n .balign 4\n 2:\n"
      :
      : "r"(fault), "r"(&g_resume)
      : "r8", "r9", "r12", "memory");
}

[[gnu::noinline, gnu::target("arm")]] void FaultInArm(uintptr_t* fault) {
  asm volatile(
      "adr r12, 1f\n str r12, [%0]\n adr r12, 2f\n str r12, [%1]\n mov r12, #0\n"
      "1: ldr r12, [r12]\n 2:\n"
      :
      : "r"(fault), "r"(&g_resume)
      : "r12", "memory");
}

TEST(Registers, OfThumbCodeTellItInBit0) {
  Catch(FaultInThumb);
  EXPECT_EQ(g_unwind_registers.values[8], 0x508U);
  EXPECT_EQ(g_unwind_registers.values[9], 0x509U);
  EXPECT_EQ(g_unwind_registers.values[kDwarfPc], g_fault | 1);
  EXPECT_EQ(g_unwind_registers.pc(), g_fault);
  Catch(FaultInArm);
  EXPECT_EQ(g_unwind_registers.values[kDwarfPc], g_fault);
}

// In the last instruction of an IT block.
TEST(Registers, AReturnIntoThumbCodeIsToNoBlock) {
  constexpr unsigned long kThumb = 0x20;
  constexpr unsigned long kIfThenBits = 0x0600'fc00;
  ucontext_t context = {};
  context.uc_mcontext.arm_cpsr = kThumb | kIfThenBits;
  SetProgramCounter(&context, 0x1001);
  EXPECT_EQ(context.uc_mcontext.arm_pc, 0x1000U);
  EXPECT_EQ(context.uc_mcontext.arm_cpsr, kThumb);
  ReturnTo(&context, 0x2000, 0x3000);
  EXPECT_EQ(context.uc_mcontext.arm_cpsr, 0U);
  ReturnTo(&context, 0x2001, 0x3000);
  EXPECT_EQ(context.uc_mcontext.arm_cpsr, kThumb);
  EXPECT_EQ(context.uc_mcontext.arm_pc, 0x2000U);
}
#endif

TEST(Registers, CodeAddressesAreLeftAlone) {
  const auto code = CodeAddress(reinterpret_cast<uintptr_t>(&OnFault));
  EXPECT_EQ(CodeAddress(code), code);
  EXPECT_EQ(CodeAddress(code + 4), code + 4);
}

}  // namespace
}  // namespace stillframe::arch
