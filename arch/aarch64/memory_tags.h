// SPDX-License-Identifier: Apache-2.0
// Tags of pointers on aarch64.
// Source: Arm Architecture Reference Manual, D8.8: the CPU ignores the upper byte of addresses of
// data.
// Context: any thread
#pragma once

#include <cstdint>

namespace stillframe::arch {

// The place in memory that a pointer names: without the tag in its upper byte, which loads ignore
// and comparisons do not. HWASan, MTE and Android's allocators tag pointers.
inline uintptr_t Untagged(uintptr_t address) { return address & (~uintptr_t{0} >> 8); }

}  // namespace stillframe::arch
