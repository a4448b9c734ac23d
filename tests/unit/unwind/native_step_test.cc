// SPDX-License-Identifier: Apache-2.0
// Steps over this process's own frames must find the callers that the compiler reports.
#include "src/unwind/native_step.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "src/elf/loaded_modules.h"
#include "src/unwind/frame_description.h"

namespace stillframe::unwind {
namespace {

CodeModules& Modules() {
  static CodeModules modules;
  elf::OpenLoadedModules(&modules);
  return modules;
}

struct Expected {
  std::vector<uintptr_t> return_addresses;
  std::vector<uintptr_t> walked;
  bool at_end = false;
};
Expected g_expected;

void WalkFrom(const ucontext_t& context, size_t steps) {
  arch::UnwindRegisters registers;
  arch::FillUnwindRegisters(context, &registers);
  g_expected.walked.clear();
  for (size_t i = 0; i < steps; ++i) {
    const uintptr_t sp = registers.sp();
    if (!StepNativeFrame(Modules(), i != 0, &registers)) return;
    EXPECT_GT(registers.sp(), sp);
    g_expected.walked.push_back(registers.pc());
  }
}

// Frames of several shapes, each of which notes where it returns to.
[[gnu::noinline]] void Innermost(volatile int* sink) {
  g_expected.return_addresses.insert(g_expected.return_addresses.begin(),
                                     reinterpret_cast<uintptr_t>(__builtin_return_address(0)));
  ucontext_t context;
  getcontext(&context);
  WalkFrom(context, g_expected.return_addresses.size());
  *sink = 1;
}

[[gnu::noinline]] int WithALargeFrame(volatile int* sink) {
  g_expected.return_addresses.insert(g_expected.return_addresses.begin(),
                                     reinterpret_cast<uintptr_t>(__builtin_return_address(0)));
  std::array<volatile char, 5000> room = {};
  room[static_cast<size_t>(*sink)] = 3;
  Innermost(sink);
  return room[1] + *sink;
}

[[gnu::noinline]] int WithAFrameOfNoFixedSize(volatile int* sink, int size) {
  g_expected.return_addresses.insert(g_expected.return_addresses.begin(),
                                     reinterpret_cast<uintptr_t>(__builtin_return_address(0)));
  auto* room = static_cast<volatile char*>(__builtin_alloca(static_cast<size_t>(size)));
  room[0] = 1;
  return WithALargeFrame(sink) + room[0];
}

TEST(NativeStep, FindsEveryReturnAddress) {
  volatile int sink = 0;
  g_expected.return_addresses.clear();
  EXPECT_GT(WithAFrameOfNoFixedSize(&sink, 700), 0);
  EXPECT_EQ(g_expected.walked, g_expected.return_addresses);
}

extern "C" int CompareInts(const void* a, const void* b) {
  if (!g_expected.at_end) {
    g_expected.at_end = true;
    volatile int sink = 0;
    Innermost(&sink);
  }
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}

// Through the C library's frames to ours.
TEST(NativeStep, CrossesAnotherLibrary) {
  g_expected = Expected{};
  const auto here = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  g_expected.return_addresses.assign(20, 0);
  int numbers[] = {3, 1, 2};
  qsort(numbers, 3, sizeof numbers[0], CompareInts);
  ASSERT_TRUE(g_expected.at_end);
  EXPECT_NE(std::find(g_expected.walked.begin(), g_expected.walked.end(), here),
            g_expected.walked.end());
}

TEST(NativeStep, RefusesWhatNothingDescribes) {
  arch::UnwindRegisters registers = {};
  registers.values[arch::kDwarfPc] = 0x10;
  EXPECT_FALSE(StepNativeFrame(Modules(), false, &registers));
  // Code without a description: a page mapped by the test.
  const auto page = reinterpret_cast<uintptr_t>(&g_expected);
  registers.values[arch::kDwarfPc] = page;
  EXPECT_FALSE(StepNativeFrame(Modules(), false, &registers));
  EXPECT_EQ(registers.pc(), page);
}

TEST(NativeStep, RegistersThatLeadNowhereFail) {
  volatile int sink = 0;
  g_expected = Expected{};
  WithAFrameOfNoFixedSize(&sink, 700);
  ASSERT_FALSE(g_expected.walked.empty());
  // In the middle of a function, where its return address is on the stack of every CPU.
  arch::UnwindRegisters registers = {};
  registers.values[arch::kDwarfPc] = g_expected.walked[0];
  registers.values[arch::kDwarfSp] = 0x20;
  EXPECT_FALSE(StepNativeFrame(Modules(), false, &registers));
}

TEST(FrameIndex, IsReadOnlyInTheFormThatLinkersWrite) {
  CodeModule module = {};
  alignas(4) uint8_t header[12] = {1, 0x1b, 3, 0x3b, 0, 0, 0, 0, 5};
  EXPECT_TRUE(ReadFrameIndex(reinterpret_cast<uintptr_t>(header), &module));
  EXPECT_EQ(module.index_count, 5U);
  EXPECT_EQ(module.index(), reinterpret_cast<uintptr_t>(header) + 12);
  header[3] = 0x3c;
  EXPECT_FALSE(ReadFrameIndex(reinterpret_cast<uintptr_t>(header), &module));
  EXPECT_FALSE(ReadFrameIndex(0x10, &module));
}

#if defined(__x86_64__)
// A function of 16 bytes at `code`, called from behind it: call *%rax and call code. Described with
// its return address 8 bytes below a CFA of rsp + cfa_offset.
struct DescribedCode {
  explicit DescribedCode(uint8_t cfa_offset) {
    const uint8_t program[] = {0x0e, cfa_offset, 0, 0, 0, 0, 0};  // DW_CFA_def_cfa_offset, nops
    std::copy(std::begin(program), std::end(program), fde.program);
    const auto at = [](const void* place) { return reinterpret_cast<uintptr_t>(place); };
    fde.cie_distance = static_cast<uint32_t>(at(&fde.cie_distance) - at(&cie));
    fde.code = static_cast<int32_t>(at(code) - at(&fde.code));
    header.code = static_cast<int32_t>(at(code) - at(&header));
    header.description = static_cast<int32_t>(at(&fde) - at(&header));
    CodeModule module = {at(code), at(code) + sizeof code, 0, 0, 0, 0};
    EXPECT_TRUE(ReadFrameIndex(at(&header), &module));
    modules.Add(module);
  }
  uintptr_t code_at(uintptr_t offset) const { return reinterpret_cast<uintptr_t>(code) + offset; }
  // The return address that a step from the function's code finds, as an offset; 0: none.
  uintptr_t StepWith(const std::vector<uintptr_t>& stack, uintptr_t* popped) const {
    arch::UnwindRegisters registers = {};
    const auto sp = reinterpret_cast<uintptr_t>(stack.data());
    registers.values[arch::kDwarfSp] = sp;
    registers.values[arch::kDwarfPc] = code_at(8);
    if (!StepNativeFrame(modules, false, &registers)) return 0;
    *popped = (registers.sp() - sp) / sizeof(uintptr_t);
    return registers.pc() - code_at(0);
  }

  static constexpr uintptr_t kBehindIndirectCall = 18;
  static constexpr uintptr_t kBehindDirectCall = 23;
  const uint8_t code[32] = {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90,
                            0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0xd0,  // call *%rax
                            0xe8, 0xe9, 0xff, 0xff, 0xff};                         // call code
  struct [[gnu::packed]] {
    uint32_t length = 20;
    uint32_t id = 0;
    uint8_t version = 1;
    char augmentation[3] = {'z', 'R', 0};
    uint8_t rest[12] = {1,    0x78, 16,      // alignments of code and data, the return address
                        1,    0x1b,          // relative to here
                        0x0c, 7,    8,       // DW_CFA_def_cfa: rsp + 8
                        0x90, 1,    0,  0};  // DW_CFA_offset: the return address at CFA - 8
  } cie;
  struct [[gnu::packed]] {
    uint32_t length = 20;
    uint32_t cie_distance;
    int32_t code;
    uint32_t code_bytes = 16;
    uint8_t augmentation_bytes = 0;
    uint8_t program[7];
  } fde;
  struct [[gnu::packed]] {
    uint8_t encodings[4] = {1, 0x1b, 3, 0x3b};
    uint32_t frames = 0;
    uint32_t rows = 1;
    int32_t code;
    int32_t description;
  } header;
  CodeModules modules;
};

TEST(NativeStep, FindsTheCallerWhereADescriptionIsHalfAWordOff) {
  for (const uint8_t cfa_offset : {uint8_t{16}, uint8_t{12}}) {
    const DescribedCode code(cfa_offset);
    const uintptr_t behind_call = code.code_at(code.kBehindIndirectCall);
    uintptr_t popped = 0;
    EXPECT_EQ(code.StepWith({1, behind_call, 1, 1}, &popped), code.kBehindIndirectCall);
    EXPECT_EQ(popped, 2U);
    EXPECT_EQ(code.StepWith({1, behind_call - 1, 1, 1, 1, 1}, &popped), 0U) << "behind no call";
  }
}

TEST(NativeStep, FindsTheCallerWhereADescriptionLostCountOfPushes) {
  const DescribedCode code(8);
  uintptr_t popped = 0;
  const uintptr_t direct = code.code_at(code.kBehindDirectCall);
  const uintptr_t indirect = code.code_at(code.kBehindIndirectCall);
  EXPECT_EQ(code.StepWith({1, direct, 1, 1, 1}, &popped), code.kBehindDirectCall);
  EXPECT_EQ(popped, 2U);
  EXPECT_EQ(code.StepWith({1, 1, 1, direct, 1}, &popped), code.kBehindDirectCall);
  EXPECT_EQ(popped, 4U);
  EXPECT_EQ(code.StepWith({1, 1, 1, 1, direct}, &popped), code.kBehindDirectCall);
  EXPECT_EQ(code.StepWith({1, 1, 1, 1, 1, direct}, &popped), 0U) << "too far out";
  EXPECT_EQ(code.StepWith({1, indirect, 1, 1, 1}, &popped), 0U) << "whatever it called";
}

TEST(NativeStep, LeavesALinkageStubThatNothingDescribes) {
  // call *%rax, to where a stub jumps: jmp *n(%rip); an index without rows.
  alignas(16) const uint8_t code[64] = {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90,
                                        0xff, 0xd0, 0x90, 0xff, 0x25, 1,    2,    3};
  const auto begin = reinterpret_cast<uintptr_t>(code);
  CodeModules modules;
  modules.Add({begin, begin + sizeof code, 0, 0, 0, 0});
  const uintptr_t stack[2] = {begin + 10, 0};
  const auto sp = reinterpret_cast<uintptr_t>(stack);
  arch::UnwindRegisters registers = {};
  registers.values[arch::kDwarfSp] = sp;
  registers.values[arch::kDwarfPc] = begin + 11;
  EXPECT_FALSE(StepNativeFrame(modules, true, &registers)) << "no call comes from a stub";
  ASSERT_TRUE(StepNativeFrame(modules, false, &registers));
  EXPECT_EQ(registers.pc(), begin + 10);
  EXPECT_EQ(registers.sp(), sp + sizeof(uintptr_t));
  registers.values[arch::kDwarfPc] = begin + 11;
  EXPECT_FALSE(StepNativeFrame(modules, false, &registers)) << "no return address on top";
  EXPECT_EQ(registers.pc(), begin + 11);
}
#endif

// Code, its CIE with a personality routine in this encoding, its FDE and a row of the index.
class CodeWithPersonality {
 public:
  CodeWithPersonality(uint8_t encoding, size_t pointer_bytes) {
    Begin();
    Append({0, 0, 0, 0, 1, 'z', 'P', 'R', 'G', 0, 1, 0x78, 16});
    Append({static_cast<uint8_t>(pointer_bytes + 2), encoding});
    Append(std::vector<uint8_t>(pointer_bytes, 0xee));
    Append({0x1b, 0x0c, 7, 8});  // relative to here; DW_CFA_def_cfa
    const size_t cie = 0;
    End(cie);
    fde_ = used_;
    Begin();
    Put32(static_cast<uint32_t>(used_ - cie));
    Put32(static_cast<uint32_t>(CodeAt() - At(used_)));
    Put32(kCodeBytes);
    Append({0, 0, 0, 0});
    End(fde_);
    const auto header = reinterpret_cast<uintptr_t>(header_);
    header_[3] = static_cast<int32_t>(CodeAt() - header);
    header_[4] = static_cast<int32_t>(At(fde_) - header);
  }

  bool IsDescribed() const {
    const CodeModule module = {
        CodeAt(), CodeAt() + kCodeBytes, reinterpret_cast<uintptr_t>(header_), 0, 1, 0};
    FrameDescription description;
    return FindFrameDescription(module, CodeAt() + 4, &description) &&
           description.code_begin == CodeAt();
  }

 private:
  static constexpr uint32_t kCodeBytes = 16;

  uintptr_t At(size_t offset) const { return reinterpret_cast<uintptr_t>(bytes_) + offset; }
  uintptr_t CodeAt() const { return reinterpret_cast<uintptr_t>(code_); }
  void Append(const std::vector<uint8_t>& more) {
    for (const uint8_t byte : more) bytes_[used_++] = byte;
  }
  void Put32(uint32_t value) {
    memcpy(bytes_ + used_, &value, sizeof value);
    used_ += sizeof value;
  }
  void Begin() { used_ += sizeof(uint32_t); }
  void End(size_t begin) {
    const auto length = static_cast<uint32_t>(used_ - begin - sizeof(uint32_t));
    memcpy(bytes_ + begin, &length, sizeof length);
  }

  alignas(16) uint8_t code_[kCodeBytes] = {};
  alignas(4) uint8_t bytes_[96] = {};
  alignas(4) int32_t header_[5] = {};  // three words, and a row
  size_t used_ = 0;
  size_t fde_ = 0;
};

// clang for AArch64 writes 8 bytes relative to their own address, through a pointer: 0x9c.
TEST(FrameDescription, IsReadBehindAPersonalityRoutineOfAnySize) {
  EXPECT_TRUE(CodeWithPersonality(0x9b, 4).IsDescribed());
  EXPECT_TRUE(CodeWithPersonality(0x9c, 8).IsDescribed());
  EXPECT_TRUE(CodeWithPersonality(0x00, sizeof(void*)).IsDescribed());
  EXPECT_TRUE(CodeWithPersonality(0x02, 2).IsDescribed());
  EXPECT_FALSE(CodeWithPersonality(0x01, 3).IsDescribed()) << "a number of any length";
}

TEST(FrameDescription, AnIndexOfGarbageDescribesNothing) {
  std::array<uint32_t, 64> garbage;
  for (uint32_t i = 0; i < garbage.size(); ++i) garbage[i] = i * 0x9e3779b9U;
  const auto at = reinterpret_cast<uintptr_t>(garbage.data());
  FrameDescription description;
  for (uint32_t count = 1; count <= garbage.size() / 2; ++count)
    for (uintptr_t pc = at - 4096; pc < at + 4096; pc += 97)
      EXPECT_FALSE(FindFrameDescription({0, UINTPTR_MAX, at - 12, 0, count, 0}, pc, &description));
}

}  // namespace
}  // namespace stillframe::unwind
