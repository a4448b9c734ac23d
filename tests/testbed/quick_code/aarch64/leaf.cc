// SPDX-License-Identifier: Apache-2.0
// The leaf methods of compiled_method.h, for aarch64.
#include <utility>

#include "tests/testbed/quick_code/aarch64/framed.h"

namespace testbed::quick_code {

CompiledMethod CompileLeaf() {
  CodeDescription description;
  description.core_spills = 1U << kLr;
  description.dex_registers = 2;
  Assembler code;
  code.Emit(0x0b010420);  // add w0, w1, w1, lsl 1
  code.Emit(0x11000400);  // add w0, w0, 1
  code.Return();
  return Finish(code, std::move(description));
}

CompiledMethod CompileSpillingLeaf() {
  constexpr uint32_t kSpillSlotBytes = 16;
  CodeDescription description;
  Assembler code;
  Frame frame(&code, {kSpillSlotBytes, false});
  frame.Describe(&description);
  frame.Enter(false);
  code.Emit(0x52800016);  // mov w22, 0
  code.Emit(0x12000837);  // and w23, w1, 7
  const uint32_t loop = code.Here();
  code.Emit(0x0b1702d6);  // add w22, w22, w23
  code.Emit(0x710006f7);  // subs w23, w23, 1
  code.JumpBack(kPositiveOrZero, loop);
  code.Emit(0x2a1603e0);  // mov w0, w22
  frame.Exit();
  return Finish(code, std::move(description));
}

}  // namespace testbed::quick_code
