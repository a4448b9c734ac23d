// SPDX-License-Identifier: Apache-2.0
// Stacks of a thread between ART's instructions that push or pop a fragment. The instructions are
// those of Debian's builds, each with the memory that it meets.
#include "src/walk/fragment.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/walk/art_image.h"

namespace stillframe::walk {
namespace {

#if !defined(__arm__)

// A method that outer calls is about to run, or has just returned.
class FragmentTest : public testing::Test {
 protected:
  FragmentTest() {
    shadow_frame_ = image_.ShadowFrame(outer_, 30, image_.ShadowFrame(outer_, 7, 0));
    outer_fragment_ = image_.Fragment(0, 0, 0);
    next_ = image_.Fragment(0, 0, 0);
  }

  uintptr_t PutCode(const std::vector<uint8_t>& bytes) {
    const uintptr_t code = image_.Allocate(bytes.size() + 16);
    memcpy(reinterpret_cast<void*>(code), bytes.data(), bytes.size());
    return code;
  }
  void SetTop(uintptr_t link, uintptr_t shadow_frame) {
    image_.SetFragment(image_.top(), 0, link, shadow_frame);
  }
  void SetNext(uintptr_t link, uintptr_t shadow_frame) {
    image_.SetFragment(next_, 0, link, shadow_frame);
  }
  // The result of a walk in words.
  std::string WalkAt(uintptr_t pc) {
    SetPc(pc);
    const arch::Registers registers = arch::RegistersOf(context_);
    const WalkedStack walked = Walk(image_.facts(), image_.thread(), &registers);
    if (walked.truncation != core::Truncation::kNone)
      return walked.frames.size() == 1 ? "truncated" : "partly truncated";
    return walked.frames.size() == 2 && walked.frames[0].method == outer_ ? "whole" : "wrong";
  }
  void SetPc(uintptr_t pc);
  void SetRegister(int number, uintptr_t value);

  ArtImage image_{KnownLayouts().rows[6]};  // ART 11
  uintptr_t outer_ = image_.Method();
  uintptr_t shadow_frame_;
  uintptr_t outer_fragment_;  // without frames
  uintptr_t next_;            // the fragment that is pushed, on the stack
  ucontext_t context_ = {};
  uint64_t tag_ = 0;  // where pointers have some
};

TEST_F(FragmentTest, TheLayoutIsOfTheReleaseWhoseCodeThisIs) {
  EXPECT_STREQ(image_.layout().release, "11");
}

#if defined(__x86_64__)
constexpr int kPc = REG_RIP;
constexpr int kSp = REG_RSP;
#elif defined(__i386__)
constexpr int kPc = REG_EIP;
constexpr int kSp = REG_ESP;
#endif

#if defined(__x86_64__) || defined(__i386__)
void FragmentTest::SetPc(uintptr_t pc) {
  context_.uc_mcontext.gregs[kPc] = static_cast<greg_t>(pc);
  context_.uc_mcontext.gregs[kSp] = static_cast<greg_t>(image_.stack());
}
void FragmentTest::SetRegister(int number, uintptr_t value) {
  context_.uc_mcontext.gregs[number] = static_cast<greg_t>(value);
}
#endif

#if defined(__x86_64__)

// ART 11, ArtMethod::Invoke + 0x54.
TEST_F(FragmentTest, APushIsWalkedWholeAtEachInstruction) {
  const uintptr_t code =
      PutCode({0x0f, 0x57, 0xc0,                             // xorps %xmm0,%xmm0
               0x0f, 0x11, 0x83, 0xb8, 0, 0, 0,              // movups %xmm0,0xb8(%rbx)
               0x48, 0xc7, 0x83, 0xc8, 0, 0, 0, 0, 0, 0, 0,  // movq $0,0xc8(%rbx)
               0x48, 0x8d, 0x55, 0x90,                       // lea -0x70(%rbp),%rdx
               0x48, 0x89, 0x93, 0xc0, 0, 0, 0,              // mov %rdx,0xc0(%rbx)
               0xc3});
  SetRegister(REG_RBX, image_.thread());
  SetRegister(REG_RBP, next_ + 0x70);
  SetNext(outer_fragment_, shadow_frame_);
  SetTop(outer_fragment_, shadow_frame_);
  EXPECT_EQ(WalkAt(code), "whole");
  EXPECT_EQ(WalkAt(code + 3), "whole");
  SetTop(0, shadow_frame_);
  EXPECT_EQ(WalkAt(code + 10), "whole");
  SetTop(0, 0);
  EXPECT_EQ(WalkAt(code + 21), "whole");
  SetRegister(REG_RDX, next_);
  EXPECT_EQ(WalkAt(code + 25), "whole");
  SetTop(next_, 0);
  EXPECT_EQ(WalkAt(code + 32), "whole");
}

TEST_F(FragmentTest, ALinkThatIsNotKnownIsNoLink) {
  SetRegister(REG_RBX, image_.thread());
  SetRegister(REG_RDX, next_);
  SetNext(outer_fragment_, shadow_frame_);
  SetTop(0, 0);
  const std::vector<uint8_t> store = {0x48, 0x89, 0x93, 0xc0, 0, 0, 0, 0xc3};
  const auto behind = [&](std::vector<uint8_t> code) {
    code.insert(code.end(), store.begin(), store.end());
    return WalkAt(PutCode(code));
  };
  EXPECT_EQ(behind({}), "whole");
  EXPECT_EQ(behind({0x48, 0x89, 0xd8}), "whole");                  // mov %rbx,%rax
  EXPECT_EQ(behind({0x48, 0x8b, 0x50, 0x08}), "truncated");        // mov 8(%rax),%rdx
  EXPECT_EQ(behind({0x48, 0x8b, 0x58, 0x08}), "truncated");        // mov 8(%rax),%rbx
  EXPECT_EQ(behind({0xe8, 0, 0, 0, 0}), "truncated");              // call
  EXPECT_EQ(behind({0x74, 0x02}), "truncated");                    // je
  EXPECT_EQ(behind({0x48, 0x8b, 0x14, 0x81}), "truncated");        // mov (%rcx,%rax,4),%rdx
  EXPECT_EQ(behind({0x48, 0x89, 0x05, 1, 0, 0, 0}), "truncated");  // mov %rax,1(%rip)
  EXPECT_EQ(behind({0x4c, 0x89, 0x64, 0x24, 0x08}), "whole");      // mov %r12,8(%rsp)
}

TEST_F(FragmentTest, ALoadedLinkIsKnownUnlessItsPlaceIsStoredTo) {
  SetRegister(REG_RBX, image_.thread());
  SetRegister(REG_RBP, image_.Allocate(16));
  image_.PutPointer(static_cast<uintptr_t>(context_.uc_mcontext.gregs[REG_RBP]) + 8, next_);
  SetNext(outer_fragment_, shadow_frame_);
  SetTop(0, 0);
  const std::vector<uint8_t> load_and_store = {0x48, 0x8b, 0x55, 0x08,                  // load
                                               0x48, 0x89, 0x93, 0xc0, 0, 0, 0, 0xc3};  // store
  std::vector<uint8_t> overwrite = {0x48, 0x89, 0x45, 0x08};  // mov %rax,8(%rbp)
  EXPECT_EQ(WalkAt(PutCode(load_and_store)), "whole");
  overwrite.insert(overwrite.end(), load_and_store.begin(), load_and_store.end());
  EXPECT_EQ(WalkAt(PutCode(overwrite)), "truncated");
}

#elif defined(__i386__)

// ART 11, ArtMethod::Invoke + 0x4e: the link stays until there is a new one.
TEST_F(FragmentTest, APushIsWalkedWholeAtEachInstruction) {
  const uintptr_t code = PutCode({0xc7, 0x87, 0xac, 0, 0, 0, 0, 0, 0, 0,  // movl $0,0xac(%edi)
                                  0xc7, 0x87, 0xb4, 0, 0, 0, 0, 0, 0, 0,  // movl $0,0xb4(%edi)
                                  0x8d, 0x4d, 0xc8,                       // lea -0x38(%ebp),%ecx
                                  0x89, 0x8f, 0xb0, 0, 0, 0,              // mov %ecx,0xb0(%edi)
                                  0xc3});
  SetRegister(REG_EDI, image_.top() - 0xac);
  SetRegister(REG_EBP, next_ + 0x38);
  SetNext(outer_fragment_, shadow_frame_);
  SetTop(outer_fragment_, shadow_frame_);
  EXPECT_EQ(WalkAt(code), "whole");
  EXPECT_EQ(WalkAt(code + 10), "whole");
  SetTop(outer_fragment_, 0);
  EXPECT_EQ(WalkAt(code + 20), "whole");
  SetRegister(REG_ECX, next_);
  EXPECT_EQ(WalkAt(code + 23), "whole");
  SetTop(next_, 0);
  EXPECT_EQ(WalkAt(code + 29), "whole");
}

// ART 11, ArtMethod::Invoke + 0x14c.
TEST_F(FragmentTest, APopIsWalkedWholeAtEachInstruction) {
  const uintptr_t code = PutCode({0x8b, 0x45, 0xd0,  // mov -0x30(%ebp),%eax
                                  0x89, 0x46, 0x08,  // mov %eax,0x8(%esi)
                                  0x8b, 0x45, 0xc8,  // mov -0x38(%ebp),%eax
                                  0x8b, 0x4d, 0xcc,  // mov -0x34(%ebp),%ecx
                                  0x89, 0x4e, 0x04,  // mov %ecx,0x4(%esi)
                                  0x89, 0x06,        // mov %eax,(%esi)
                                  0xc3});
  SetRegister(REG_ESI, image_.top());
  SetRegister(REG_EBP, next_ + 0x38);
  SetNext(outer_fragment_, shadow_frame_);
  SetTop(next_, 0);
  EXPECT_EQ(WalkAt(code), "whole");
  SetRegister(REG_EAX, shadow_frame_);
  EXPECT_EQ(WalkAt(code + 3), "whole");
  SetTop(next_, shadow_frame_);
  EXPECT_EQ(WalkAt(code + 6), "whole");
  SetRegister(REG_ECX, outer_fragment_);
  EXPECT_EQ(WalkAt(code + 12), "whole");
  SetTop(outer_fragment_, shadow_frame_);
  EXPECT_EQ(WalkAt(code + 15), "whole");
  EXPECT_EQ(WalkAt(code + 17), "whole");
}

// The order in which a compiler could have the same.
TEST_F(FragmentTest, APopThatRestoresTheLinkFirstIsWalkedWhole) {
  const uintptr_t code = PutCode({0x8b, 0x4d, 0xcc,  // mov -0x34(%ebp),%ecx
                                  0x89, 0x4e, 0x04,  // mov %ecx,0x4(%esi)
                                  0x8b, 0x45, 0xd0,  // mov -0x30(%ebp),%eax
                                  0x89, 0x46, 0x08,  // mov %eax,0x8(%esi)
                                  0xc3});
  SetRegister(REG_ESI, image_.top());
  SetRegister(REG_EBP, next_ + 0x38);
  SetNext(outer_fragment_, shadow_frame_);
  SetTop(next_, 0);
  EXPECT_EQ(WalkAt(code), "whole");
  SetRegister(REG_ECX, outer_fragment_);
  EXPECT_EQ(WalkAt(code + 3), "whole");
  SetTop(outer_fragment_, 0);
  EXPECT_EQ(WalkAt(code + 6), "whole");
  SetRegister(REG_EBP, 0x10);
  EXPECT_EQ(WalkAt(code + 6), "truncated") << "what is loaded cannot be read";
}

#else

void FragmentTest::SetPc(uintptr_t pc) {
  context_.uc_mcontext.pc = pc;
  context_.uc_mcontext.sp = image_.stack();
}
void FragmentTest::SetRegister(int number, uintptr_t value) {
  context_.uc_mcontext.regs[number] = value | tag_ << 56;
}

// Memory tags of the pointers in registers.
constexpr uint64_t kRegisterTags[] = {0, 0x2a};

std::vector<uint8_t> BytesOf(const std::vector<uint32_t>& words) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(words.data());
  return {bytes, bytes + words.size() * sizeof words[0]};
}

// ART 11, ArtMethod::Invoke + 0x58: the link is stored before what it leads to.
TEST_F(FragmentTest, APushIsWalkedWholeAtEachInstruction) {
  const uintptr_t code = PutCode(BytesOf({0xa90bfebf,  // stp xzr, xzr, [x21, #184]
                                          0xf94066ab,  // ldr x11, [x21, #200]
                                          0xa90c7eaa,  // stp x10, xzr, [x21, #192]
                                          0xf9400129,  // ldr x9, [x9]
                                          0x3d8007e0,  // str q0, [sp, #16]
                                          0xf90013eb,  // str x11, [sp, #32]
                                          0xd65f03c0}));
  for (const uint64_t tag : kRegisterTags) {
    tag_ = tag;
    image_.facts().stack_low = image_.stack();
    const uintptr_t next = image_.stack() + 16;
    next_ = next;
    SetRegister(21, image_.thread());
    SetRegister(10, next);
    SetNext(outer_fragment_, image_.ShadowFrame(image_.Method(), 5, 0));  // left by another call
    SetTop(outer_fragment_, shadow_frame_);
    EXPECT_EQ(WalkAt(code), "whole");
    SetTop(0, shadow_frame_);
    EXPECT_EQ(WalkAt(code + 4), "truncated");
    SetRegister(11, shadow_frame_);
    EXPECT_EQ(WalkAt(code + 8), "truncated");
    SetTop(next, 0);
    EXPECT_EQ(WalkAt(code + 12), "truncated");
    EXPECT_EQ(WalkAt(code + 16), "truncated");
    EXPECT_EQ(WalkAt(code + 20), "truncated");
    SetNext(outer_fragment_, shadow_frame_);
    EXPECT_EQ(WalkAt(code + 24), "whole");
  }
}

// ART 14, ArtMethod::Invoke + 0x38.
TEST_F(FragmentTest, APushThatStoresTheLinkLastIsWalkedWhole) {
  const uintptr_t code = PutCode(BytesOf({0xf900667f,  // str xzr, [x19, #200]
                                          0xf9400108,  // ldr x8, [x8]
                                          0x394b6908,  // ldrb w8, [x8, #730]
                                          0xf900626a,  // str x10, [x19, #192]
                                          0xd65f03c0}));
  for (const uint64_t tag : kRegisterTags) {
    tag_ = tag;
    SetRegister(19, image_.thread());
    SetRegister(10, next_);
    SetNext(outer_fragment_, shadow_frame_);
    SetTop(0, shadow_frame_);
    EXPECT_EQ(WalkAt(code), "whole");
    SetTop(0, 0);
    EXPECT_EQ(WalkAt(code + 4), "whole");
    EXPECT_EQ(WalkAt(code + 12), "whole");
    SetTop(next_, 0);
    EXPECT_EQ(WalkAt(code + 16), "whole");
  }
}

// ART 14, ArtMethod::Invoke + 0x110: the frames come back after the link.
TEST_F(FragmentTest, APopIsWalkedWholeAtEachInstruction) {
  const uintptr_t code = PutCode(BytesOf({0x3c8b0260,  // stur q0, [x19, #176]
                                          0xf80c0268,  // stur x8, [x19, #192]
                                          0xd65f03c0}));
  for (const uint64_t tag : kRegisterTags) {
    tag_ = tag;
    SetRegister(19, image_.thread() + 8);
    SetRegister(8, shadow_frame_);
    SetNext(outer_fragment_, shadow_frame_);
    SetTop(next_, 0);
    EXPECT_EQ(WalkAt(code), "whole");
    SetTop(outer_fragment_, 0);
    EXPECT_EQ(WalkAt(code + 4), "whole");
    SetTop(outer_fragment_, shadow_frame_);
    EXPECT_EQ(WalkAt(code + 8), "whole");
  }
}

#endif
#endif

}  // namespace
}  // namespace stillframe::walk
