// SPDX-License-Identifier: Apache-2.0
// Methods in which the main thread waits for something outside the process.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "src/trace/frame_table.h"

namespace stillframe::index {

enum class Outside : uint8_t { kNothing, kBinder, kInputOutput };

// What a method says that is on a stack. A truncation says nothing.
Outside WaitedFor(const trace::FrameTable& frames, trace::FrameId id);
Outside WaitedFor(std::string_view class_name, std::string_view method_name);

// What a thread stands still for in the kernel, by the innermost frame of such a sample
// (src/native/kernel_call.h); "" where a stack, the outermost frame first, does not say so.
std::string_view KernelCallOf(const trace::FrameTable& frames,
                              std::span<const trace::FrameId> stack);
enum class KernelWait : uint8_t { kNothing, kBinder, kInputOutput, kSleep, kWait };
KernelWait WaitInKernel(std::string_view call);

}  // namespace stillframe::index
