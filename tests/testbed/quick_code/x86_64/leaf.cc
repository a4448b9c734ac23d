// SPDX-License-Identifier: Apache-2.0
// The leaf methods of compiled_method.h, for x86_64.
#include <utility>

#include "tests/testbed/quick_code/x86_64/framed.h"

namespace testbed::quick_code {

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
