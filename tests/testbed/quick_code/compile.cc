// SPDX-License-Identifier: Apache-2.0
// The methods of compiled_method.h that call others, from the pieces of framed.h of each CPU.
#include <optional>

#include "tests/testbed/quick_code/compiled_method.h"
#include "tests/testbed/quick_code/framed.h"

namespace testbed::quick_code {

CompiledMethod CompileCaller(const FrameShape& shape, const std::vector<CallSite>& sites,
                             uint32_t entry_point) {
  Framed method(shape, entry_point);
  method.SplitArgument();
  size_t last = 0;
  for (size_t i = 0; i < sites.size(); ++i)
    if (sites[i].callee != 0) last = i;
  std::vector<Assembler::Jump> to_end;
  for (size_t i = 0; i <= last; ++i) {
    if (sites[i].callee == 0) continue;
    std::optional<Assembler::Jump> to_next;
    if (i != last) to_next = method.JumpUnlessArgumentIs(static_cast<uint8_t>(i));
    method.PassRest();
    method.Call(sites[i]);
    if (to_next) {
      to_end.push_back(method.JumpForward());
      method.Bind(*to_next);
    }
  }
  for (const Assembler::Jump jump : to_end) method.Bind(jump);
  method.AddOneToResult();
  return method.Exit();
}

CompiledMethod CompileDescent(const FrameShape& shape, const CallSite& next, const CallSite& end,
                              uint32_t entry_point) {
  Framed method(shape, entry_point);
  const Assembler::Jump to_end = method.JumpIfArgumentIsAtMostOne();
  method.SubtractOneFromArgument();
  method.Call(next);
  const Assembler::Jump to_exit = method.JumpForward();
  method.Bind(to_end);
  method.PassSecondAndTrue();
  method.Call(end);
  method.Bind(to_exit);
  return method.Exit();
}

}  // namespace testbed::quick_code
