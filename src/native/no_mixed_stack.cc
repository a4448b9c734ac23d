// SPDX-License-Identifier: Apache-2.0
// A build without native frames: no copied stack has any.
#include "src/native/mixed_stack.h"

namespace stillframe::native {

const std::vector<MixedFrame>& MixedStack::Read(const core::StackCopy&, const uintptr_t*,
                                                const Managed&, LibraryChanges*) {
  return mixed_;
}

}  // namespace stillframe::native
