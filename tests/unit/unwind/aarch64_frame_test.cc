// SPDX-License-Identifier: Apache-2.0
// Frames of aarch64 as compilers and linkers write them for Android: signed return addresses,
// landing pads, shadow call stacks; and the stub that ART's implicit suspend checks lead to.
// qemu-user signs and checks return addresses under -cpu max.
#include <gtest/gtest.h>
#include <ucontext.h>

#include <memory>
#include <string>
#include <vector>

#include "src/elf/loaded_modules.h"
#include "src/unwind/native_step.h"
#include "tests/unit/described_code.h"

namespace stillframe::unwind {
namespace {

#if defined(__aarch64__)

extern "C" {
// Calls `callee`, and signs its own return address meanwhile.
void stillframe_signed(void (*callee)());
extern const uint32_t stillframe_signed_behind_call[] [[gnu::visibility("hidden")]];
}

// NOLINTNEXTLINE(hicpp-no-assembler)
asm(".text\n"
    ".balign 16\n"
    ".global stillframe_signed, stillframe_signed_behind_call\n"
    ".hidden stillframe_signed, stillframe_signed_behind_call\n"
    "stillframe_signed:\n"
    ".cfi_startproc\n"
    "hint #34\n"  // bti c
    "hint #25\n"  // paciasp
    ".cfi_negate_ra_state\n"
    "stp x29, x30, [sp, -32]!\n"
    ".cfi_def_cfa_offset 32\n"
    ".cfi_offset 29, -32\n"
    ".cfi_offset 30, -24\n"
    "mov x29, sp\n"
    "blr x0\n"
    "stillframe_signed_behind_call:\n"
    "ldp x29, x30, [sp], 32\n"
    ".cfi_restore 30\n"
    ".cfi_restore 29\n"
    ".cfi_def_cfa_offset 0\n"
    "hint #29\n"  // autiasp
    ".cfi_negate_ra_state\n"
    "ret\n"
    ".cfi_endproc\n");

uintptr_t Signed(uintptr_t address, uintptr_t sp) {
  register uintptr_t x16 asm("x16") = sp;
  register uintptr_t x17 asm("x17") = address;
  asm("hint #8" : "+r"(x17) : "r"(x16));  // pacia1716
  return x17;
}

bool HasSignatures() {
  const auto address = reinterpret_cast<uintptr_t>(stillframe_signed_behind_call);
  // One in thousands of signatures is that of no signature.
  for (uintptr_t sp = 0; sp < 256; sp += 16)
    if (Signed(address, sp) != address) return true;
  return false;
}

CodeModules& OwnModules() {
  static CodeModules modules;  // large
  elf::OpenLoadedModules(&modules);
  return modules;
}

std::vector<uintptr_t> g_walked;
uintptr_t g_stored = 0;

void WalkThroughSigned() {
  ucontext_t context;
  getcontext(&context);
  arch::UnwindRegisters registers;
  arch::FillUnwindRegisters(context, &registers);
  g_walked.clear();
  for (int i = 0; i < 3 && StepNativeFrame(OwnModules(), i != 0, &registers); ++i) {
    g_walked.push_back(registers.pc());
    if (i == 0) g_stored = reinterpret_cast<const uintptr_t*>(registers.sp())[1];
  }
}

[[gnu::noinline]] uintptr_t CallSigned() {
  stillframe_signed(WalkThroughSigned);
  return reinterpret_cast<uintptr_t>(__builtin_return_address(0));
}

TEST(SignedFrame, LeadsToItsCaller) {
  if (!HasSignatures()) GTEST_SKIP() << "this CPU signs no addresses";
  const uintptr_t here = arch::CodeAddress(CallSigned());
  ASSERT_EQ(g_walked.size(), 3U);
  EXPECT_EQ(g_walked[0], reinterpret_cast<uintptr_t>(stillframe_signed_behind_call));
  EXPECT_EQ(g_walked[1], arch::CodeAddress(g_stored));
  EXPECT_EQ(g_walked[2], here);
}

// The function seems to have been called from behind its own call.
TEST(SignedFrame, LeadsToItsCallerFromEachInstruction) {
  if (!HasSignatures()) GTEST_SKIP() << "this CPU signs no addresses";
  constexpr uint32_t kInstructions = 8;
  uintptr_t stack[16] = {};
  const auto top = reinterpret_cast<uintptr_t>(stack + 8);
  const auto caller = reinterpret_cast<uintptr_t>(stillframe_signed_behind_call);
  uintptr_t sp = top;
  while (Signed(caller, sp) == caller) sp += 16;
  const uintptr_t link = Signed(caller, sp);
  for (uint32_t i = 0; i < kInstructions; ++i) {
    SCOPED_TRACE("instruction " + std::to_string(i));
    const bool has_frame = i >= 3 && i <= 5;
    const bool is_signed = i >= 2 && i <= 6;
    arch::UnwindRegisters registers = {};
    registers.values[arch::kDwarfPc] = reinterpret_cast<uintptr_t>(stillframe_signed) + 4 * i;
    registers.values[arch::kDwarfSp] = has_frame ? top - 32 : top;
    registers.values[arch::kLinkRegister] = has_frame ? 0 : is_signed ? link : caller;
    stack[5] = has_frame ? link : 0;
    ASSERT_TRUE(StepNativeFrame(OwnModules(), false, &registers));
    EXPECT_EQ(registers.pc(), caller);
    EXPECT_EQ(registers.sp(), top);
  }
}

// Steps from the first instruction of `code`, whose caller is behind instruction `call`.
bool StepFromBegin(const DescribedCode& code, uint32_t call, arch::UnwindRegisters* registers) {
  const auto modules = std::make_unique<CodeModules>();
  modules->Add(code.module);
  registers->values[arch::kDwarfPc] = code.At(0);
  registers->values[arch::kDwarfSp] = reinterpret_cast<uintptr_t>(&code);
  registers->values[arch::kLinkRegister] = code.At(call + 1);
  return StepNativeFrame(*modules, false, registers) && registers->pc() == code.At(call + 1);
}

// DWARF for the Arm 64-bit Architecture (ABI 2024Q3), 5.4: negate_ra_state (0x2d), and
// negate_ra_state_with_pc (0x2c) of FEAT_PAuth_LR. Both have no operand; the advance is read as one
// otherwise.
TEST(SignedFrame, IsDescribedInEitherWay) {
  for (const uint8_t operation : {uint8_t{0x2d}, uint8_t{0x2c}}) {
    const DescribedCode code({kPaciasp, kBlrX0}, {operation, 0x48, 0x0e, 16});
    arch::UnwindRegisters registers = {};
    EXPECT_TRUE(StepFromBegin(code, 1, &registers)) << uint32_t{operation};
  }
}

// The prologue pushes x30 to where x18 points (LLVM AArch64FrameLowering.cpp,
// emitShadowCallStackPrologue): the caller's x18 is 8 bytes lower.
TEST(ShadowCallStack, IsThatOfTheCaller) {
  const DescribedCode code({kBtiC, kBlrX0},
                           {0x16, 18, 2, 0x82, 0x78});  // val_expression: breg18 -8
  arch::UnwindRegisters registers = {};
  registers.values[18] = 0x7008;
  registers.values[19] = 0x19;
  registers.values[20] = 0x20;
  registers.values[21] = 0x21;
  ASSERT_TRUE(StepFromBegin(code, 1, &registers));
  EXPECT_EQ(registers.values[18], 0x7000U);
  EXPECT_EQ(registers.values[19], 0x19U) << "the thread";
  EXPECT_EQ(registers.values[20], 0x20U) << "the marking register";
  EXPECT_EQ(registers.values[21], 0x21U) << "the suspend check's";
}

// The fault of a suspend check is a call of art_quick_implicit_suspend, which ART's handler makes.
// Signals that were blocked in that handler arrive at the stub's first instruction.
TEST(ImplicitSuspend, ReturnsBehindTheCheckThatFaulted) {
  arch::UnwindRegisters registers = {};
  EXPECT_TRUE(StepFromBegin(DescribedCode({kBtiC, kSuspendCheck}, {}), 1, &registers));
  constexpr uint32_t kLoadFromX20 = 0xf9400295;  // ldr x21, [x20]
  EXPECT_FALSE(StepFromBegin(DescribedCode({kBtiC, kLoadFromX20}, {}), 1, &registers));
}

// LLVM lld/ELF/Arch/AArch64.cpp, AArch64BtiPac::writePlt: bti c; adrp x16; ldr x17; add x16;
// autia1716; br x17. Nothing describes it.
TEST(LinkageStub, IsLeftFromEachInstruction) {
  alignas(16) const uint32_t code[] = {kBlrX0,     0xd503201f, kBtiC,      0x90000110, 0xf9415a11,
                                       0x910ac210, kAutia1716, 0xd61f0220, kBtiC,      kPaciasp};
  const auto begin = reinterpret_cast<uintptr_t>(code);
  static CodeModules modules;  // large
  modules.Add({begin, begin + sizeof code, 0, 0, 0, 0});
  for (uint32_t i = 2; i < 8; ++i) {
    arch::UnwindRegisters registers = {};
    registers.values[arch::kDwarfPc] = begin + 4 * i;
    registers.values[arch::kLinkRegister] = begin + 4;
    EXPECT_TRUE(StepNativeFrame(modules, false, &registers)) << "instruction " << i;
    EXPECT_EQ(registers.pc(), begin + 4) << "instruction " << i;
  }
  arch::UnwindRegisters registers = {};
  registers.values[arch::kDwarfPc] = begin + 32;
  registers.values[arch::kLinkRegister] = begin + 4;
  EXPECT_FALSE(StepNativeFrame(modules, false, &registers)) << "a function begins so";
}

#endif

}  // namespace
}  // namespace stillframe::unwind
