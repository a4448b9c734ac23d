// The methods of compiled_method.h for x86_64. Prologue and epilogue are those of ART's compiler:
// compiler/optimizing/code_generator_x86_64.cc, GenerateFrameEntry and GenerateFrameExit, the same
// in ART 11.0.0_r48 and 14.0.0_r15.
#include <optional>
#include <utility>

#include "tests/art/quick_code/compiled_method.h"
#include "tests/art/quick_code/x86_64/assembler.h"

namespace testbed::quick_code {
namespace {

constexpr uint32_t kWord = 8;
constexpr uint32_t kStackAlignment = 16;
constexpr uint32_t kStackReserve = 8192;            // runtime/arch/instruction_set.h
constexpr uint32_t kReturnAddressSpill = 1U << 16;  // the register after r15 stands for it
constexpr uint32_t kRbxAndRbpSpills = (1U << 3) | (1U << 5);
constexpr uint32_t kXmm12Spill = 1U << 12;
constexpr uint32_t kPushedBytes = 2 * kWord;

CompiledMethod Finish(const Assembler& code, CodeDescription description) {
  description.code_bytes = code.Here();
  return {code.code(), code.instructions(), std::move(description)};
}

// movsd between xmm12 and [rsp + offset]
void MoveXmm12(Assembler* code, bool store, uint32_t offset) {
  code->Emit({0xf2, 0x44, 0x0f, static_cast<uint8_t>(store ? 0x11 : 0x10), 0xa4, 0x24}, offset);
}

uint32_t FrameBytes(const FrameShape& shape) {
  const uint32_t bytes =
      kWord + shape.local_bytes + (shape.spills_fp ? kWord : 0) + kPushedBytes + kWord;
  return (bytes + kStackAlignment - 1) / kStackAlignment * kStackAlignment;
}

// A method with a frame that stores itself and keeps two registers; the code between entry and exit
// is the caller's.
class Framed {
 public:
  explicit Framed(const FrameShape& shape) : spills_fp_(shape.spills_fp) {
    description_.frame_bytes = FrameBytes(shape);
    description_.core_spills = kReturnAddressSpill | kRbxAndRbpSpills;
    description_.fp_spills = shape.spills_fp ? kXmm12Spill : 0;
    description_.dex_registers = 3;
    local_bytes_ = description_.frame_bytes - kPushedBytes - kWord;
    // test [rsp - reserve], rax: faults when the stack is used up
    description_.safepoints.push_back(
        {code_.Emit({0x48, 0x85, 0x84, 0x24}, 0U - kStackReserve), 0, {}});
    code_.Push(Register::kRbp);
    code_.Push(Register::kRbx);
    code_.SubtractFromStack(local_bytes_);
    if (spills_fp_) MoveXmm12(&code_, true, local_bytes_ - kWord);
    code_.Emit({0x48, 0x89, 0x3c, 0x24});  // mov [rsp], rdi: the method
  }

  // The callee's method is in rdi.
  void Call(const CallSite& site, uint32_t entry_point) {
    const uint32_t after_call = code_.Emit({0xff, 0x97}, entry_point);  // call [rdi + entry_point]
    description_.safepoints.push_back({after_call, site.dex_pc, site.inlined});
  }

  CompiledMethod Exit() {
    if (spills_fp_) MoveXmm12(&code_, false, local_bytes_ - kWord);
    code_.AddToStack(local_bytes_);
    code_.Pop(Register::kRbx);
    code_.Pop(Register::kRbp);
    code_.Return();
    return Finish(code_, std::move(description_));
  }

  Assembler& code() { return code_; }

 private:
  bool spills_fp_;
  uint32_t local_bytes_ = 0;
  Assembler code_;
  CodeDescription description_;
};

}  // namespace

CompiledMethod CompileCaller(const FrameShape& shape, const std::vector<CallSite>& sites,
                             uint32_t entry_point) {
  Framed framed(shape);
  Assembler& code = framed.code();
  code.Emit({0x89, 0xf3});        // mov ebx, esi
  code.Emit({0xc1, 0xfb, 0x04});  // sar ebx, 4
  code.Emit({0x83, 0xe6, 0x0f});  // and esi, 15

  size_t last = 0;
  for (size_t i = 0; i < sites.size(); ++i) {
    if (sites[i].callee != 0) last = i;
  }
  std::vector<Assembler::Jump> to_end;
  for (size_t i = 0; i <= last; ++i) {
    const CallSite& site = sites[i];
    if (site.callee == 0) continue;
    std::optional<Assembler::Jump> to_next;
    if (i != last) {
      code.Emit({0x83, 0xfe, static_cast<uint8_t>(i)});  // cmp esi, i
      to_next = code.JumpForward({0x0f, 0x85});          // jne
    }
    code.LoadAddress(Register::kRdi, site.callee);
    code.Emit({0x89, 0xde});  // mov esi, ebx
    framed.Call(site, entry_point);
    if (to_next) {
      to_end.push_back(code.JumpForward({0xe9}));  // jmp
      code.Bind(*to_next);
    }
  }
  for (const Assembler::Jump jump : to_end) code.Bind(jump);
  code.Emit({0x83, 0xc0, 0x01});  // add eax, 1
  return framed.Exit();
}

CompiledMethod CompileDescent(const FrameShape& shape, const CallSite& next, const CallSite& end,
                              uint32_t entry_point) {
  Framed framed(shape);
  Assembler& code = framed.code();
  code.Emit({0x83, 0xfe, 1});                                     // cmp esi, 1
  const Assembler::Jump to_end = code.JumpForward({0x0f, 0x8e});  // jle
  code.Emit({0x83, 0xee, 1});                                     // sub esi, 1
  code.LoadAddress(Register::kRdi, next.callee);
  framed.Call(next, entry_point);
  const Assembler::Jump to_exit = code.JumpForward({0xe9});  // jmp
  code.Bind(to_end);
  code.Emit({0x89, 0xd6});  // mov esi, edx
  code.Emit({0xba}, 1);     // mov edx, 1
  code.LoadAddress(Register::kRdi, end.callee);
  framed.Call(end, entry_point);
  code.Bind(to_exit);
  return framed.Exit();
}

CompiledMethod CompileLeaf() {
  CodeDescription description;
  description.core_spills = kReturnAddressSpill;
  description.dex_registers = 2;
  Assembler code;
  code.Emit({0x8d, 0x04, 0x76});  // lea eax, [rsi + rsi * 2]
  code.Emit({0x83, 0xc0, 0x01});  // add eax, 1
  code.Return();
  return Finish(code, std::move(description));
}

CompiledMethod CompileSpillingLeaf() {
  CodeDescription description;
  description.frame_bytes = FrameBytes({});
  description.core_spills = kReturnAddressSpill | kRbxAndRbpSpills;
  description.dex_registers = 3;
  const uint32_t local_bytes = description.frame_bytes - kPushedBytes - kWord;
  Assembler code;
  code.Push(Register::kRbp);
  code.Push(Register::kRbx);
  code.SubtractFromStack(local_bytes);
  code.Emit({0x31, 0xdb});        // xor ebx, ebx
  code.Emit({0x89, 0xf5});        // mov ebp, esi
  code.Emit({0x83, 0xe5, 0x07});  // and ebp, 7
  const uint32_t loop = code.Here();
  code.Emit({0x01, 0xeb});        // add ebx, ebp
  code.Emit({0x83, 0xed, 0x01});  // sub ebp, 1
  const uint32_t after_jump = code.Here() + 2;
  code.Emit({0x79, static_cast<uint8_t>(loop - after_jump)});  // jns loop
  code.Emit({0x89, 0xd8});                                     // mov eax, ebx
  code.AddToStack(local_bytes);
  code.Pop(Register::kRbx);
  code.Pop(Register::kRbp);
  code.Return();
  return Finish(code, std::move(description));
}

}  // namespace testbed::quick_code
