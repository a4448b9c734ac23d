// SPDX-License-Identifier: Apache-2.0
// The few instructions that the repairs read and write; one file a CPU defines them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stillframe::testbed {

// The bytes of a jump to any address, which WriteJump writes over a function's first instructions.
extern const size_t kJumpBytes;
void WriteJump(unsigned char* function, const void* target);

// A call of ArtMethod::Invoke(thread, args, args_size, result, shorty) with `args` null and
// `args_size` 1, as the package's compiler wrote it. IsInvokeOfOneByteAtNull detects one at `code`;
// PassNoArguments changes its `args_size` to 0.
extern const size_t kInvokeCallBytes;
extern const size_t kCodeAlignment;
bool IsInvokeOfOneByteAtNull(const unsigned char* code, const void* invoke);
void PassNoArguments(unsigned char* code);

}  // namespace stillframe::testbed
