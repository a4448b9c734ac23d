// SPDX-License-Identifier: Apache-2.0
// What frames say: waits for something outside the process, idle handlers, the application's own
// code.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/model/document.h"
#include "src/model/frame_table.h"
#include "src/model/trace_tree.h"

namespace stillframe::index {

enum class Outside : uint8_t { kNothing, kBinder, kInputOutput };

// What a method says that is on a stack. A truncation says nothing.
Outside WaitedFor(const model::FrameTable& frames, model::FrameId id);
Outside WaitedFor(std::string_view class_name, std::string_view method_name);

// What a thread stands still for in the kernel, by the innermost frame of such a sample
// (src/native/kernel_call.h); "" where a stack, the outermost frame first, does not say so.
std::string_view KernelCallOf(const model::FrameTable& frames,
                              std::span<const model::FrameId> stack);
enum class KernelWait : uint8_t { kNothing, kBinder, kInputOutput, kSleep, kWait };
KernelWait WaitInKernel(std::string_view call);

// Which idle handler a stack is in: handlers that follow each other are one segment of the dump.
// CLASS.METHOD, clean text, of the outermost method of the application that MessageQueue.next calls
// in this stack, which is outermost first; the outermost at all where none is the application's. ""
// when it calls none, or the loop inside it is in another call.
std::string IdleHandlerOf(const model::FrameTable& frames, std::span<const model::FrameId> stack);

// A whole stack, outermost first, in which no loop runs yet.
bool IsBeforeLoop(const model::FrameTable& frames, std::span<const model::FrameId> stack);

// Of the newest sample; "" without samples.
std::string NewestIdleHandler(const model::FrameTable& frames, const model::TraceTree* tree);

// Which classes are the application's own, and not a library's or the platform's.
class OwnCode {
 public:
  // Classes in `packages` and below; if none is given, in the application's package as the dump has
  // it; if that is not known or has no class on any stack, what is neither the platform's nor a
  // well-known library's.
  OwnCode(const model::Document& document, const std::vector<std::string>& packages);

  bool Has(std::string_view class_name) const;

 private:
  std::vector<std::string> packages_;  // empty: by exclusion
};

}  // namespace stillframe::index
