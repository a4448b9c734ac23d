// SPDX-License-Identifier: Apache-2.0
// Meaning of frames: waits outside the process, idle handlers, the application's own code.
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

enum class Outside : uint8_t { kNothing, kBinder, kInputOutput, kMemory };

// Classifies a frame of a stack as binder, I/O or a page fault. kNothing for others and for
// truncations.
Outside WaitedFor(const model::FrameTable& frames, model::FrameId id);
Outside WaitedFor(std::string_view class_name, std::string_view method_name);

// The kernel call in which a thread is idle, from the sample's innermost frame
// (src/native/kernel_call.h). "" without one. `stack` is outermost first.
std::string_view KernelCallOf(const model::FrameTable& frames,
                              std::span<const model::FrameId> stack);
enum class KernelWait : uint8_t { kNothing, kBinder, kInputOutput, kMemory, kSleep, kWait };
KernelWait WaitInKernel(std::string_view call);

// Consecutive idle handlers are one segment of the dump; this says which one a stack (outermost
// first) is in. Returns CLASS.METHOD, clean text: the outermost method outside the platform that
// MessageQueue.next calls, else the outermost method. "" if it calls none, or if an inner loop is
// in another call.
std::string IdleHandlerOf(const model::FrameTable& frames, std::span<const model::FrameId> stack);

// A whole stack, outermost first, in which no loop runs yet.
bool IsBeforeLoop(const model::FrameTable& frames, std::span<const model::FrameId> stack);

// The idle handler of the newest sample; "" without samples.
std::string NewestIdleHandler(const model::FrameTable& frames, const model::TraceTree* tree);

// Which classes are the application's own, rather than a library's or the platform's.
class OwnCode {
 public:
  // Own classes are those in `packages` and below. Without `packages`: those in the application's
  // package, as in the dump. If that is unknown or has no class on any stack: classes of neither
  // the platform nor a well-known library.
  OwnCode(const model::Document& document, const std::vector<std::string>& packages);

  bool Has(std::string_view class_name) const;

 private:
  std::vector<std::string> packages_;  // empty: by exclusion
};

}  // namespace stillframe::index
